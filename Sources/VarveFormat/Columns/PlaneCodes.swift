/// A plane in which few values make up nearly all bytes, as codes of one, two, or four bits.
/// Several codes share a byte, so that deflate has fewer bytes to process and can spend less than a
/// bit on a code.
///
/// The last code stands for all other values, which are stored separately.
enum PlaneCodes {
  /// Returns the number of values that have codes of their own.
  static func values(width: Int) -> Int { 1 << width - 1 }

  /// Returns the number of bytes that the codes of `count` bytes take.
  static func bytes(for count: Int, width: Int) -> Int { (count * width + 7) / 8 }

  /// Encodes a plane; `values` are those that have codes. Returns the number of bytes written to
  /// `others`.
  static func encode(
    _ plane: UnsafeRawBufferPointer, width: Int, values: some Collection<UInt8>,
    into codes: UnsafeMutablePointer<UInt8>, others: UnsafeMutablePointer<UInt8>
  ) -> Int {
    if width == 1, let value = values.first {
      return encode(plane, value: value, into: codes, others: others)
    }
    let other = UInt8(Self.values(width: width))
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { codeOf in
      codeOf.initialize(repeating: other)
      for (code, value) in values.prefix(Int(other)).enumerated() {
        codeOf[Int(value)] = UInt8(code)
      }
      let perByte = 8 / width
      var count = 0
      var index = 0
      for byte in 0..<bytes(for: plane.count, width: width) {
        var packed: UInt8 = 0
        for place in 0..<min(perByte, plane.count - index) {
          let value = plane[index]
          let code = codeOf[Int(value)]
          packed |= code &<< UInt8(truncatingIfNeeded: place &* width)
          others[count] = value
          count &+= code == other ? 1 : 0
          index &+= 1
        }
        codes[byte] = packed
      }
      return count
    }
  }

  /// Encodes with codes of one bit, eight values at a time: in a word of eight bytes, each byte
  /// that differs from `value` sets a bit.
  private static func encode(
    _ plane: UnsafeRawBufferPointer, value: UInt8, into codes: UnsafeMutablePointer<UInt8>,
    others: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let pattern = UInt64(value) &* 0x0101_0101_0101_0101
    let low: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
    var count = 0
    var index = 0
    while index < plane.count {
      var word = pattern
      if index + 8 <= plane.count {
        word = UInt64(littleEndian: plane.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      } else {
        for place in index..<plane.count {
          let shift = UInt64(place - index) * 8
          word = word & ~(0xff << shift) | UInt64(plane[place]) << shift
        }
      }
      let differs = word ^ pattern
      let marks = (((differs & low) &+ low) | differs) & ~low
      // Each mark is the top bit of its byte; the multiplication gathers them in one byte.
      let bits = UInt8(truncatingIfNeeded: ((marks &>> 7) &* 0x0102_0408_1020_4080) &>> 56)
      codes[index / 8] = bits
      var rest = bits
      while rest != 0 {
        others[count] = plane[index + rest.trailingZeroBitCount]
        count &+= 1
        rest &= rest &- 1
      }
      index += 8
    }
    return count
  }

  /// Returns how many of the first `count` codes stand for other values.
  static func others(
    in codes: UnsafeRawBufferPointer, count: Int, width: Int
  ) -> Int {
    let other = UInt8(values(width: width))
    let perByte = 8 / width
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { numberIn in
      for byte in 0..<256 {
        numberIn[byte] = (0..<perByte).reduce(0) { number, place in
          number + (UInt8(byte) >> UInt8(place * width) & other == other ? 1 : 0)
        }
      }
      let whole = count / perByte
      var number = 0
      for index in 0..<whole { number += Int(numberIn[Int(codes[index])]) }
      for place in 0..<count % perByte
      where codes[whole] >> UInt8(place * width) & other == other { number += 1 }
      return number
    }
  }

  /// Decodes a plane. `others` holds as many values as `others(in:count:width:)` returned; `values`
  /// holds one for each code.
  static func decode(
    _ codes: UnsafeRawBufferPointer, width: Int, values: UnsafeRawBufferPointer,
    others: UnsafeRawBufferPointer, into plane: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let other = UInt8(Self.values(width: width))
    let perByte = 8 / width
    var next = 0
    var index = 0
    for byte in codes {
      var rest = byte
      for _ in 0..<min(perByte, count - index) {
        let code = rest & other
        if code == other {
          plane[index] = others[next]
          next &+= 1
        } else {
          plane[index] = values[Int(code)]
        }
        rest = rest &>> UInt8(truncatingIfNeeded: width)
        index &+= 1
      }
    }
  }
}
