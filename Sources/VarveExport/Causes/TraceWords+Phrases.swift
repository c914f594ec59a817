internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

extension TraceWords {
  /// The name of the event's stream or scheduler.
  func subject(_ event: TraceEvent) -> String {
    event.isHop ? scheduler(event.stream) : stream(event.stream)
  }

  /// `keystrokes "v"`, `search failed: timeout`, `search ended: disposed`.
  func phrase(_ event: TraceEvent, short: Bool = false) -> String {
    let name =
      event.isHop
      ? scheduler(event.stream)
      : event.stream == 0 ? "" : short ? shortStream(event.stream) : stream(event.stream)
    return [name, predicate(event)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Returns the name of the task that a record of no stream is about, and what happened to it.
  func taskSubject(_ event: TraceEvent) -> (name: String, text: String)? {
    let beginning = "task \(event.subscription) "
    let text = predicate(event)
    guard event.stream == 0, !event.isHop, event.subscription != 0, text.hasPrefix(beginning) else {
      return nil
    }
    return (task(event.subscription), String(text.dropFirst(beginning.count)))
  }

  /// Returns what happened, without the name: the value, or the kind and its payload.
  func predicate(_ event: TraceEvent) -> String {
    let value = value(event)
    guard let kind = event.kind else { return "of a kind that a newer version writes" }
    switch kind {
    case .value: return value.isEmpty ? "sent a value" : value
    case .failed: return value.isEmpty ? "failed" : "failed: \(value)"
    case .completed: return "completed"
    case .interrupted: return "interrupted"
    case .assembled: return "was made"
    case .subscribed: return "observed by \(value)"
    case .ended: return "observation ended: \(event.reason ?? "")"
    case .absorbed: return "swallowed a value: \(event.reason ?? "")"
    case .hopScheduled: return "was given work"
    case .hopBegan where event.payload.kind == .task: return "ran \(value)"
    case .hopBegan: return "began work"
    case .hopEnded where event.payload.kind == .awaited: return "finished a run: \(value)"
    case .hopEnded: return "finished work"
    case .hopCancelled: return "was spared cancelled work"
    case .log: return "log: \(value)"
    case .mark: return "mark: \(value)"
    case .skipped: return "\(value) values were not recorded"
    case .sent where event.stream == 0: return "code of the program did that"
    case .sent: return "was sent by the program's code"
    case .waitBegan: return "began to wait for \(Self.awaited(event))"
    case .waitEnded: return "has waited for \(Self.awaited(event))"
    case .taskCreated: return "task \(event.subscription) was created \(value)"
    case .taskCancelled: return "task \(event.subscription) was cancelled"
    case .taskFailed: return "task \(event.subscription) failed: \(value)"
    case .taskFailureRead: return "the failure of task \(event.subscription) was read"
    case .hopSampled: return "work \(event.subscription) was still running"
    case .errorThrown where event.subscription == 0: return "an error was thrown: \(value)"
    case .errorThrown: return "task \(event.subscription) threw an error: \(value)"
    case .read:
      return event.payload.kind == .stream ? "gave away the signal of its changes" : "was read"
    }
  }

  /// Returns the same in fewer words, if there are.
  func briefPredicate(_ event: TraceEvent) -> String {
    switch event.kind {
    case .ended: "ended: \(event.reason ?? "")"
    case .absorbed: "swallowed: \(event.reason ?? "")"
    case .sent where event.stream != 0: "was sent by code"
    default: predicate(event)
    }
  }

  /// What a thread waits for, by the record of its wait.
  private static func awaited(_ event: TraceEvent) -> String {
    let reason = ReasonPayload(word: event.payload.word).reason
    return switch WaitReason(rawValue: UInt8(truncatingIfNeeded: reason)) {
    case .outcome: "a value or the end"
    case .delivery: "another thread's delivery"
    case .change: "another thread's change"
    case nil: "something that a newer version names"
    }
  }
}
