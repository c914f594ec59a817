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

  /// The maximum number of records between the reading of a property's signal and its observation: those
  /// of what is made and observed with it.
  private static let mostBeforeObservation = 64

  /// Returns the stack of the code that took the signal of a property's changes before it was observed;
  /// nil if none did, or if the trace does not tell.
  func signalTaker(of property: UInt32, before observed: EventName) -> UInt32? {
    guard var event = self[observed] else { return nil }
    for _ in 0..<Self.mostBeforeObservation {
      guard let before = previous(before: event) else { return nil }
      if before.kind == .read, before.stream == property, before.payload.kind == .stream {
        let stack = SubscriptionPayload(word: before.payload.word).stack
        return stack == 0 ? nil : stack
      }
      event = before
    }
    return nil
  }

  /// Returns the event with which an observation of one of some streams began; nil if the trace holds
  /// none.
  ///
  /// - Parameters:
  ///   - edge: the number of the observation.
  ///   - streams: the streams that may be observed.
  /// - Complexity: reads the observations of these streams, from the first on.
  func beginning(of edge: UInt64, among streams: Set<UInt32>) -> TraceEvent? {
    func find(in source: some EventSource) -> EventName? {
      var selection = Selection()
      selection.streams = streams
      selection.kinds = KindSelection([.subscribed])
      let query = try? EventQuery(selection, in: source, columns: [.subscriptions])
      guard var query else { return nil }
      var found: EventName?
      query.run { page in
        page.forEach { batch, index in
          if batch.columns.subscriptions[index] == edge { found = batch.columns.name(index) }
        }
        return found == nil
      }
      return found
    }
    return find(in: source).flatMap { self[$0] }
  }

  /// Returns the event with which the run began that the code of the program sent the first event of a
  /// path into, from where the trace knows nothing: a callback. Nil if that event has a cause, or was
  /// sent into something that is not started.
  public func beginning(ofRunAt path: CausalPath) -> TraceEvent? {
    let line = path.steps.filter { $0.depth == 0 }
    guard let origin = path.origin?.event, origin.causes.isEmpty, !origin.isHop,
      let index = line.firstIndex(where: { $0.event.name == origin.name }), index > 0,
      let definition = source.definitions.streams[origin.stream], definition.parents.isEmpty,
      definition.traits?.contains(.hot) == false
    else { return nil }
    return beginning(of: line[index - 1].event.subscription, among: [origin.stream])
  }
}
