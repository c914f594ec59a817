public import VarveFormat

/// What the answers to single questions take from the findings of the whole trace: so they mark the line
/// that the first page marks, where that is about what was asked.
extension [Finding] {
  /// Returns the surest finding about some streams, or one that some events prove.
  ///
  /// Of a read that comes too early, the finding names who reads, and an answer about the stream what
  /// makes the change late: both can be wrong.
  ///
  /// - Parameters:
  ///   - isAsked: whether a stream is one of those.
  ///   - events: the events.
  public func about(
    _ isAsked: (UInt32) -> Bool, events: Set<EventName> = []
  ) -> Finding? {
    first { finding in
      finding.weight >= leastSure && finding.kind != .early
        && (finding.stream.map(isAsked) == true
          || finding.evidence.contains(where: events.contains))
    }
  }

  /// Returns the surest finding about a stream whose values come on different threads.
  public func aboutThreads(_ isAsked: (UInt32) -> Bool) -> Finding? {
    first { $0.kind == .thread && $0.stream.map(isAsked) == true }
  }

  /// Returns the surest finding of something that becomes more and more.
  public var aboutGrowth: Finding? { first { [.leak, .join].contains($0.kind) } }

  /// Returns the surest finding of values that wait where no work does.
  public var aboutDelay: Finding? { first { $0.kind == .join } }
}

/// A finding that weighs less is a hint, and not surer than what an answer tells by itself.
private let leastSure = 50
