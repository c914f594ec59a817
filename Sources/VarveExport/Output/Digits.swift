/// The digits of 00 to 99: writing two at a time halves the divisions.
private let pairs: StaticString =
  """
  0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546\
  4748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293\
  949596979899
  """

extension Pen {
  /// Writes a number.
  @inline(__always)
  mutating func put(decimal number: UInt64) {
    if number < 10 { return put(0x30 + UInt8(truncatingIfNeeded: number)) }
    put(number, digits: Self.digits(of: number))
  }

  /// Writes a signed number.
  @inline(__always)
  mutating func put(decimal number: Int64) {
    if number < 0 { put(UInt8(ascii: "-")) }
    put(decimal: number.magnitude)
  }

  /// Writes a number, right-aligned in `width` columns. A wider number is not cut.
  @inline(__always)
  mutating func put(decimal number: UInt64, width: Int) {
    let count = Self.digits(of: number)
    put(spaces: width - count)
    put(number, digits: count)
  }

  /// Writes the last `count` digits of a number, with leading zeros.
  @inline(__always)
  mutating func put(_ number: UInt64, digits count: Int) {
    var rest = number
    var place = at + count
    while place - at >= 2 {
      place -= 2
      UnsafeMutableRawPointer(place).storeBytes(of: Self.pair(rest % 100), as: UInt16.self)
      rest /= 100
    }
    if place > at { at.pointee = 0x30 + UInt8(truncatingIfNeeded: rest % 10) }
    at += count
  }

  /// Returns the two digits of a number below 100 in memory order.
  @inline(__always)
  private static func pair(_ number: UInt64) -> UInt16 {
    UnsafeRawPointer(pairs.utf8Start + Int(truncatingIfNeeded: number) &* 2)
      .loadUnaligned(as: UInt16.self)
  }

  /// Returns the number of digits.
  @inline(__always)
  static func digits(of number: UInt64) -> Int {
    var rest = number
    var count = 1
    while rest >= 10_000 {
      rest /= 10_000
      count += 4
    }
    return count + (rest >= 100 ? (rest >= 1_000 ? 3 : 2) : (rest >= 10 ? 1 : 0))
  }
}
