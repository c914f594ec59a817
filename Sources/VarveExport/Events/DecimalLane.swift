/// A column of numbers that grow little from line to line.
///
/// All digits but the last two are usually those of the previous line, and are copied: without that,
/// `varve replay` needs 1.07 times the instructions.
struct DecimalLane {
  private static let bytes = 32

  /// The number in `text` without its last two digits; `UInt64.max` if `text` is empty.
  private var shown = UInt64.max
  private var text = SIMD32<UInt8>(repeating: 0)
  private var count = 0
  private var lastDigits = 0

  /// Writes a number. `behind` is the number of bytes that `write` puts after the last digit.
  ///
  /// `write` must show at least two digits of numbers from 100 on. The text has room for 32 bytes.
  @inline(__always)
  mutating func put(
    _ number: UInt64, behind: Int, to pen: inout Pen, _ write: (inout Pen) -> Void
  ) {
    let head = number / 100
    if head != shown { return fill(head, behind: behind, &pen, write) }
    UnsafeMutableRawPointer(pen.at).storeBytes(of: text, as: SIMD32<UInt8>.self)
    pen.at += lastDigits
    pen.put(number, digits: 2)
    pen.at += count &- lastDigits &- 2
  }

  @inline(never)
  private mutating func fill(
    _ head: UInt64, behind: Int, _ pen: inout Pen, _ write: (inout Pen) -> Void
  ) {
    let start = pen.at
    write(&pen)
    count = pen.at - start
    guard head > 0, count <= Self.bytes else {
      shown = .max
      return
    }
    text = UnsafeRawPointer(start).loadUnaligned(as: SIMD32<UInt8>.self)
    lastDigits = count - behind - 2
    shown = head
  }
}
