/// Writes how long after the line above an event happened: three digits and a unit, aligned.
enum StepColumn {
  /// How many columns a step takes: `+12.3 µs`.
  static let width = 8
  /// The most bytes that one step takes.
  static let mostBytes = 32

  /// Writes a step; nothing but spaces when there is none.
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

  @inline(__always)
  private static func writeSmall(_ step: UInt64, to pen: inout Pen) {
    if step < 10 { pen.put("   +") } else if step < 100 { pen.put("  +") } else { pen.put(" +") }
    pen.put(decimal: step)
    pen.put(" ns")
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
