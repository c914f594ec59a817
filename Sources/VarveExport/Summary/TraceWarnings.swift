public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles

/// Warnings about what is missing from a trace.
public enum TraceWarnings {
  private static let most = 4

  /// Returns a sentence for each period in which events or definitions were lost, up to a few; `list` is
  /// the command that lists all.
  public static func losses(_ reader: TraceReader, list: String? = nil) -> [String] {
    let threads = ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
    return limited(reader.losses, list) { sentence($0, threads, reader.time) }
  }

  /// Returns a sentence about what was lost: `6,306 events of thread 3 (worker) lost between 3.1 ms and
  /// 6.6 ms`.
  static func sentence(_ loss: TraceLoss, _ threads: ThreadNames, _ time: TraceTime) -> String {
    let when = ElapsedTime.stretch(
      from: time.nanoseconds(sinceStart: loss.ticks.lowerBound),
      to: time.nanoseconds(sinceStart: loss.ticks.upperBound))
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

  /// Returns a sentence for each part of the file that could not be read, up to a few; `list` is the
  /// command that lists all.
  public static func damage(_ parts: [TraceDamage], list: String? = nil) -> [String] {
    limited(parts, list) { damage in
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

  private static func limited<Element>(
    _ all: [Element], _ list: String?, _ text: (Element) -> String
  ) -> [String] {
    guard all.count > most else { return all.map(text) }
    let hint = list.map { "; \($0) lists all" } ?? ""
    return all.prefix(most).map(text)
      + ["and \(Counted.grouped(UInt64(all.count - most))) more\(hint)"]
  }
}

extension ElapsedTime {
  /// Returns `between 2 ms and 5 s`, in units of a thousandth of each other, so that the length is true
  /// to a hundredth; `at 2 ms` if they are equal. Times before the start of the trace count as its start.
  static func stretch(from first: Int64, to last: Int64) -> String {
    let (first, last) = (UInt64(max(first, 0)), UInt64(max(last, 0)))
    let grains: [UInt64] = [1_000_000, 1_000]
    let grain = grains.first { last >= first && (last - first) / $0 >= 100 } ?? 1
    let from = exact(nanoseconds: first / grain * grain)
    guard first != last else { return "at \(from)" }
    return "between \(from) and \(exact(nanoseconds: last / grain * grain))"
  }
}
