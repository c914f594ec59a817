/// How many events may be decoded once more: by a query, because their block did not fit into memory
/// beside those that overlap it, or in search of single events or of what scheduled a hop.
///
/// Blocks of a hundred bytes can stand for sixty thousand events each, and any number of them can lie
/// over each other: the more there are, the smaller the parts that are held, and the more often each
/// is decoded. A mebibyte would keep a reader busy for hours. A trace of threads that ran takes far
/// more bytes for its events: a thousand of them, each with a full block at one time, stay far below
/// what is allowed.
struct RepeatAllowance {
  private var left: UInt64

  /// So many events at least …
  private static let least: UInt64 = 1 << 24
  /// … and so many more for each byte of the file.
  private static let eventsPerByte: UInt64 = 1_024

  /// For a walk over a file of so many bytes.
  init(bytes: UInt64) { self.init(bytes: bytes, least: Self.least) }

  /// With another least number of events.
  init(bytes: UInt64, least: UInt64) {
    let scaled = bytes.multipliedReportingOverflow(by: Self.eventsPerByte)
    let all = scaled.partialValue.addingReportingOverflow(least)
    left = scaled.overflow || all.overflow ? .max : all.partialValue
  }

  /// What it costs to read and check a block, in events.
  private static let leastOfBlock = 1_024

  /// Lets a block of so many events be decoded once more; returns false when they are too many.
  mutating func take(_ events: Int) -> Bool {
    let cost = UInt64(max(events, Self.leastOfBlock))
    guard cost <= left else { return false }
    left -= cost
    return true
  }
}
