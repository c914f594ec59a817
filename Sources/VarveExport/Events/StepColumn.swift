/// Writes the time since the previous line: three digits and a unit, aligned.
enum StepColumn {
  /// The width of a step: `+12.3 µs`.
  static let width = 8

  /// Writes a step.
  @inline(__always)
  static func write(_ step: UInt64, ascii: Bool, to pen: inout Pen) {
    if step < 1_000 {
      let count = Pen.digits(of: step)
      pen.put(spaces: 4 - count)
      pen.put(UInt8(ascii: "+"))
      pen.put(step, digits: count)
      pen.put(" ns")
    } else if step < 999_500 {
      number(step, unit: 1_000, to: &pen)
      if ascii { pen.put(" us") } else { pen.put(" µs") }
    } else {
      writeLarge(step, to: &pen)
    }
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
  private static func number(_ step: UInt64, unit: UInt64, to pen: inout Pen) {
    let hundredths = (step + unit / 200) / (unit / 100)
    let tenths = (step + unit / 20) / (unit / 10)
    if hundredths < 1_000 {
      pen.put("+")
      pen.put(hundredths / 100, digits: 1)
      pen.put(".")
      pen.put(hundredths, digits: 2)
    } else if tenths < 1_000 {
      pen.put("+")
      pen.put(tenths / 10, digits: 2)
      pen.put(".")
      pen.put(tenths, digits: 1)
    } else {
      pen.put(" +")
      pen.put((step + unit / 2) / unit, digits: 3)
    }
  }
}
