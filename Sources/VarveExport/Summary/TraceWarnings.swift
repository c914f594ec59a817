internal import VarveAnalysis
public import VarveFormat
internal import VarveMarbles

/// What somebody who looks at a trace must know: what of it is missing.
public enum TraceWarnings {
  private static let most = 4

  /// A sentence for each stretch in which events were lost.
  public static func losses(_ reader: TraceReader) -> [String] {
    let threads = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    return limited(reader.losses) { loss in
      let from = ElapsedTime.exact(
        milliseconds: reader.time.nanoseconds(sinceStart: loss.ticks.lowerBound))
      let to = ElapsedTime.exact(
        milliseconds: reader.time.nanoseconds(sinceStart: loss.ticks.upperBound))
      let events = Counted.text(loss.count, "event", "events")
      let fate =
        switch loss.reason {
        case .noRoom: "lost"
        case .notKept: "not kept"
        }
      let thread = TerminalText.escaped(threads[loss.ring])
      return "\(events) of thread \(thread) \(fate) between \(from) and \(to)"
    }
  }

  /// A sentence for each part of the file that could not be read.
  public static func damage(_ reader: TraceReader) -> [String] {
    limited(reader.damage) { damage in
      "\(Counted.text(damage.bytes, "byte", "bytes")) damaged at byte \(damage.offset): \(damage.reason)"
    }
  }

  private static func limited<Element>(_ all: [Element], _ text: (Element) -> String) -> [String] {
    let told = all.prefix(most).map(text)
    return told
      + (all.count > most ? ["and \(Counted.grouped(UInt64(all.count - most))) more"] : [])
  }
}

extension ElapsedTime {
  /// To the millisecond: what lies before the trace's start counts as its start.
  static func exact(milliseconds nanoseconds: Int64) -> String {
    exact(nanoseconds: UInt64(max(nanoseconds, 0)) / 1_000_000 * 1_000_000)
  }
}
