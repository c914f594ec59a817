/// The digits of 00 to 99: writing two at a time halves the divisions.
private let pairs: StaticString =
  """
  0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546\
  4748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293\
  949596979899
  """

extension Pen {
  /// The greatest number of digits of a 64-bit number.
  static let mostDigits = 20

  /// Writes a number.
  @inline(__always)
  mutating func put(decimal number: UInt64) {
    if number < 10 { return put(0x30 + UInt8(truncatingIfNeeded: number)) }
    let count = Self.digits(of: number)
    Self.write(number, before: at + count)
    at += count
  }

  /// Writes a signed number.
  @inline(__always)
  mutating func put(decimal number: Int64) {
    if number < 0 { put(UInt8(ascii: "-")) }
    put(decimal: number.magnitude)
  }

  /// Writes a number, right-aligned in `width` columns, at most 24. A wider number is not cut.
  @inline(__always)
  mutating func put(decimal number: UInt64, width: Int) {
    let count = Self.digits(of: number)
    let columns = max(width, count)
    let spaces = SIMD8<UInt8>(repeating: 0x20)
    let raw = UnsafeMutableRawPointer(at)
    raw.storeBytes(of: spaces, as: SIMD8<UInt8>.self)
    raw.storeBytes(of: spaces, toByteOffset: 8, as: SIMD8<UInt8>.self)
    raw.storeBytes(of: spaces, toByteOffset: 16, as: SIMD8<UInt8>.self)
    Self.write(number, before: at + columns)
    at += columns
  }

  /// Writes six digits, with leading zeros.
  @inline(__always)
  mutating func put(sixDigits number: UInt32) {
    let high = number / 10_000
    let low = number % 10_000
    putPair(high)
    putPair(low / 100)
    putPair(low % 100)
  }

  /// Writes two digits.
  @inline(__always)
  mutating func putPair(_ number: UInt32) {
    UnsafeMutableRawPointer(at).storeBytes(of: Self.digits(number), as: UInt16.self)
    at += 2
  }

  /// Returns the two digits of a number below 100 in memory order.
  @inline(__always)
  private static func digits(_ number: UInt32) -> UInt16 {
    UnsafeRawPointer(pairs.utf8Start + Int(number) &* 2).loadUnaligned(as: UInt16.self)
  }

  @inline(__always)
  private static func write(_ number: UInt64, before end: UnsafeMutablePointer<UInt8>) {
    var rest = number
    var at = end
    // Four digits per round, so that each round waits for one division instead of two.
    while rest >= 10_000 {
      let four = UInt32(truncatingIfNeeded: rest % 10_000)
      rest /= 10_000
      at -= 4
      let pair = four / 100
      UnsafeMutableRawPointer(at).storeBytes(of: digits(pair), as: UInt16.self)
      UnsafeMutableRawPointer(at).storeBytes(
        of: digits(four &- pair &* 100), toByteOffset: 2, as: UInt16.self)
    }
    while rest >= 100 {
      let pair = rest % 100
      rest /= 100
      at -= 2
      UnsafeMutableRawPointer(at).storeBytes(
        of: digits(UInt32(truncatingIfNeeded: pair)), as: UInt16.self)
    }
    if rest >= 10 {
      at -= 2
      UnsafeMutableRawPointer(at).storeBytes(
        of: digits(UInt32(truncatingIfNeeded: rest)), as: UInt16.self)
    } else {
      (at - 1).pointee = 0x30 + UInt8(truncatingIfNeeded: rest)
    }
  }

  /// Returns the number of digits, from the bit width and one comparison.
  @inline(__always)
  static func digits(of number: UInt64) -> Int {
    let bits = 64 - (number | 1).leadingZeroBitCount
    let guess = (bits * 1233) >> 12
    return guess + (number >= powersOfTen(guess) ? 1 : 0)
  }

  @inline(__always)
  private static func powersOfTen(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 0: 0
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    case 10: 10_000_000_000
    case 11: 100_000_000_000
    case 12: 1_000_000_000_000
    case 13: 10_000_000_000_000
    case 14: 100_000_000_000_000
    case 15: 1_000_000_000_000_000
    case 16: 10_000_000_000_000_000
    case 17: 100_000_000_000_000_000
    case 18: 1_000_000_000_000_000_000
    default: 10_000_000_000_000_000_000
    }
  }
}
