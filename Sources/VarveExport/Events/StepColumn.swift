/// Writes the time since the previous line: three digits and a unit, aligned.
enum StepColumn {
  /// The width of a step: `+12.3 µs`.
  static let width = 8
  /// The greatest number of bytes that one step takes.
  static let mostBytes = 32

  /// Writes a step, or spaces for the first line.
  @inline(__always)
  static func write(_ step: UInt64, isFirst: Bool, ascii: Bool, to pen: inout Pen) {
    if isFirst { return pen.put("        ") }
    if step < 1_000 {
      writeSmall(step, to: &pen)
    } else if step < 999_500 {
      number(step, unit: 1_000, to: &pen)
      if ascii { pen.put(" us") } else { pen.put(" µs") }
    } else {
      writeLarge(step, to: &pen)
    }
  }

  /// Writes a step of less than a microsecond: eight bytes, assembled in a register.
  @inline(__always)
  private static func writeSmall(_ step: UInt64, to pen: inout Pen) {
    let hundreds = (step &* 41) &>> 12
    let rest = step &- hundreds &* 100
    let tens = (rest &* 103) &>> 10
    let ones = rest &- tens &* 10
    // From the lowest byte up: " +123 ns", with the sign before the first digit.
    let digits = (hundreds | tens &<< 8 | ones &<< 16) &+ 0x30_3030
    let shown: UInt64
    if step >= 100 {
      shown = 0x2b20 | digits &<< 16
    } else if step >= 10 {
      shown = 0x2b_2020 | (digits &>> 8) &<< 24
    } else {
      shown = 0x2b20_2020 | (digits &>> 16) &<< 32
    }
    let text = shown | 0x73_6e20 &<< 40
    UnsafeMutableRawPointer(pen.at).storeBytes(of: text.littleEndian, as: UInt64.self)
    pen.at += 8
  }

  private static func writeLarge(_ step: UInt64, to pen: inout Pen) {
    if step < 999_500_000 {
      number(step, unit: 1_000_000, to: &pen)
      pen.put(" ms")
    } else if step < 999_500_000_000 {
      number(step, unit: 1_000_000_000, to: &pen)
      pen.put(" s ")
    } else {
      pen.put("+")
      pen.put(decimal: step / 60_000_000_000, width: 3)
      pen.put(" min")
    }
  }

  /// Writes `+1.23`, `+12.3` or ` +123`, rounded.
  @inline(__always)
  private static func number(_ step: UInt64, unit: UInt64, to pen: inout Pen) {
    let hundredths = (step + unit / 200) / (unit / 100)
    if hundredths < 1_000 {
      pen.put(UInt8(ascii: "+"))
      pen.put(0x30 + UInt8(truncatingIfNeeded: hundredths / 100))
      pen.put(UInt8(ascii: "."))
      pen.putPair(UInt32(truncatingIfNeeded: hundredths % 100))
      return
    }
    let tenths = (step + unit / 20) / (unit / 10)
    if tenths < 1_000 {
      pen.put(UInt8(ascii: "+"))
      pen.putPair(UInt32(truncatingIfNeeded: tenths / 10))
      pen.put(UInt8(ascii: "."))
      pen.put(0x30 + UInt8(truncatingIfNeeded: tenths % 10))
    } else {
      pen.put(" +")
      pen.put(decimal: (step + unit / 2) / unit)
    }
  }
}
