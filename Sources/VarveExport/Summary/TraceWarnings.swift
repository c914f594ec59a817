public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles

/// Warnings about what is missing from a trace.
public enum TraceWarnings {
  private static let most = 4

  /// Returns a sentence for each period in which events or definitions were lost.
  public static func losses(_ reader: TraceReader) -> [String] {
    let threads = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    return limited(reader.losses) { loss in
      let when = ElapsedTime.stretch(
        from: reader.time.nanoseconds(sinceStart: loss.ticks.lowerBound),
        to: reader.time.nanoseconds(sinceStart: loss.ticks.upperBound))
      let events = Counted.text(loss.count, "event", "events")
      let thread = TerminalText.escaped(threads.numbered(loss.ring))
      let what =
        switch loss.reason {
        case .noRoom: "\(events) of thread \(thread) lost"
        case .notKept: "\(events) of thread \(thread) not kept"
        case .damaged: "\(events) of thread \(thread) in damaged parts of the file"
        case .notDefined:
          "\(Counted.text(loss.count, "definition", "definitions")) of streams and the like lost"
        }
      return "\(what) \(when)"
    }
  }

  /// Returns a sentence for each part of the file that could not be read.
  public static func damage(_ parts: [TraceDamage]) -> [String] {
    limited(parts) { damage in
      "\(Counted.text(damage.bytes, "byte", "bytes")) damaged at byte \(damage.offset): \(damage.reason)"
    }
  }

  /// Returns a sentence for each category that was passed over because there was too much of it.
  public static func passedOver(_ passedOver: PassedOver) -> [String] {
    let parts: [(UInt64, String, String, String)] = [
      (passedOver.ofStreams, "event", "events", "of streams that the trace does not define"),
      (passedOver.observations, "observation", "observations", "of streams"),
      (passedOver.work, "record", "records", "of schedulers' work"),
      (passedOver.absorbed, "swallowed value", "swallowed values", "by their reasons"),
    ]
    return parts.filter { $0.0 > 0 }.map { count, one, many, what in
      "too much to remember: \(Counted.text(count, one, many)) \(what) passed over; what is said "
        + "about these is incomplete"
    }
  }

  private static func limited<Element>(_ all: [Element], _ text: (Element) -> String) -> [String] {
    let told = all.prefix(most).map(text)
    return told
      + (all.count > most ? ["and \(Counted.grouped(UInt64(all.count - most))) more"] : [])
  }
}

extension ElapsedTime {
  /// Returns `between 2 ms and 5 s`, in milliseconds or with as many digits as tell the two apart;
  /// `at 2 ms` if they are equal. Times before the start of the trace count as its start.
  static func stretch(from first: Int64, to last: Int64) -> String {
    let (first, last) = (UInt64(max(first, 0)), UInt64(max(last, 0)))
    let grains: [UInt64] = [1_000_000, 1_000]
    let grain = grains.first { first / $0 != last / $0 } ?? 1
    let from = exact(nanoseconds: first / grain * grain)
    guard first != last else { return "at \(from)" }
    return "between \(from) and \(exact(nanoseconds: last / grain * grain))"
  }
}
