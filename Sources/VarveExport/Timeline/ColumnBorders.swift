internal import VarveFormat
internal import VarveMarbles

/// The ticks at which the columns of a time axis end.
struct ColumnBorders: Sendable {
  /// The last tick of each column that has one, ascending.
  private let ends: [UInt64]

  init(_ axis: TimeAxis, _ time: TraceTime) {
    var clock = TickConverter(time)
    func column(_ tick: UInt64) -> Int {
      axis.column(UInt64(max(clock.nanoseconds(sinceStart: tick), 0)))
    }
    var ends: [UInt64] = []
    var start: UInt64 = 0
    while true {
      let first = column(start)
      var end = start
      var step: UInt64 = 1 << 63
      while step > 0 {
        let (next, overflow) = end.addingReportingOverflow(step)
        if !overflow, column(next) == first { end = next }
        step >>= 1
      }
      ends.append(end)
      guard end < .max else { break }
      start = end + 1
    }
    self.ends = ends
  }

  /// Returns the ticks of the column that a tick belongs to.
  func ticks(around tick: UInt64) -> ClosedRange<UInt64> {
    var lower = 0
    var upper = ends.count - 1
    while lower < upper {
      let middle = (lower + upper) / 2
      if ends[middle] < tick { lower = middle + 1 } else { upper = middle }
    }
    return (lower == 0 ? 0 : ends[lower - 1] + 1)...ends[lower]
  }
}
