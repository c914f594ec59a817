internal import VarveFormat
internal import VarveProbe

extension EventLookup {
  /// The maximum number of events between the start of a producer and the work that it schedules.
  private static let mostBetween = 16

  /// Returns the observation that the program's code began, and whose start scheduled the work that
  /// begins with an event; nil if the work was scheduled by anything else.
  ///
  /// - Parameter began: the event with which a scheduler, not a task, began the work.
  func start(behind began: TraceEvent) -> TraceEvent? {
    guard began.kind == .hopBegan, began.runTask == nil,
      let given = began.causes.first.flatMap({ self[$0] }), given.kind == .hopScheduled
    else { return nil }
    // The start happens while the same event is delivered.
    var before = previous(before: given)
    for _ in 0..<Self.mostBetween {
      guard let event = before, event.causes == given.causes else { return nil }
      if event.kind == .subscribed {
        let payload = SubscriptionPayload(word: event.payload.word)
        if payload.stream == 0, payload.stack != 0 { return event }
      }
      before = previous(before: event)
    }
    return nil
  }
}
