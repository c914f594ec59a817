internal import VarveProbe

/// What a recorded stream's two ends have in common: the stream of what is yielded, the stream of
/// what is received, the edge between them, and the end.
final class Passage<Element: Sendable, Failure: Error>: Sendable {
  /// An element on its way, with the record of its yielding.
  struct Item: Sendable {
    var element: Element
    var origin: Origin
  }

  /// The stream's end: a failure or none, and the record of it.
  struct End: Sendable {
    var failure: Failure?
    var origin = Origin()
  }

  private struct State {
    var end: End?
    var hasTerminated = false
    var edge: TracedSubscription
    var onTermination:
      (@Sendable (TracedStream<Element, Failure>.Continuation.Termination) -> Void)?
  }

  private let yielded: RecordedStream
  let received: RecordedStream
  /// The subscription that leads from one to the other.
  let edge: UInt64
  private let dropReason: AbsorptionReason
  private let state: Lock<State>

  init(
    _ name: String, _ place: Place, _ buffering: AsyncStream<Element>.Continuation.BufferingPolicy
  ) {
    let reason: AbsorptionReason?
    switch buffering {
    case .bufferingOldest: reason = .pastLimit
    case .bufferingNewest: reason = .superseded
    default: reason = nil
    }
    dropReason = reason ?? .ended
    yielded = RecordedStream(
      name, operation: "makeStream", place: place, valueType: Element.self, traits: .hot)
    var traits: StreamTraits = [.hot, .holds, .throwsFailure]
    if reason != nil { traits.insert(.swallows) }
    received = RecordedStream(
      "\(name).values", operation: "values", parents: [yielded.id], place: place,
      valueType: Element.self, traits: traits, absorbs: reason)
    let subscription = TracedSubscription(feeding: received.id)
    edge = subscription.number
    state = Lock(State(edge: subscription))
    tellEdge()
  }

  /// Records the edge between the two streams, unless the current recording knows it.
  private func tellEdge() {
    guard let wanted = yielded.wanted, received.wanted != nil else { return }
    state.withLock { _ = $0.edge.tellBeginning(of: yielded, wanted) }
  }

  // MARK: - The input's side

  /// Records that an element is yielded.
  func yield(_ element: Element) -> Item {
    guard let wanted = yielded.wanted, yielded.takesNext(wanted) else {
      return Item(element: element, origin: Origin())
    }
    tellEdge()
    let record = yielded.record(.value, wanted) {
      $0.emit(element, as: wanted.form, into: $1)
    }
    let origin = Origin(record: record, tick: TraceRecords.writer.pointee.last)
    yielded.tellSender(of: record, wanted)
    return Item(element: element, origin: origin)
  }

  /// Runs what an element or an end leads to at once, such as a handler of the end.
  func deliver<Result>(from origin: Origin, _ body: () -> Result) -> Result {
    origin.record == 0 ? body() : TraceRecords.deliver(origin.record, body)
  }

  /// Records that the buffering policy dropped an element.
  func drop(_ item: Item) { absorb(item, dropReason) }

  /// Records that the stream had ended before an element was yielded.
  func refuse(_ item: Item) { absorb(item, .ended) }

  private func absorb(_ item: Item, _ reason: AbsorptionReason) {
    guard item.origin.record != 0, let wanted = received.wanted,
      wanted.wish.contains(.absorption), wanted.oneIn == 1
    else { return }
    received.record(.absorbed, wanted, subscription: edge, origin: item.origin) {
      $0.emit(.reason, word: UInt64(reason.rawValue), into: $1)
    }
  }

  /// Records the end, if it is the first; returns its record, or nil if it is not the first.
  func finish(_ failure: Failure?) -> Origin? {
    let isFirst = state.withLock { state in
      guard state.end == nil, !state.hasTerminated else { return false }
      state.end = End(failure: failure)
      return true
    }
    guard isFirst else { return nil }
    guard let wanted = yielded.wanted else { return Origin() }
    yielded.tellRest(wanted)
    let record: UInt64
    if let failure {
      let form = PayloadForm(of: type(of: failure), wish: wanted.wish)
      record = yielded.record(.failed, wanted) { $0.emit(failure, as: form, into: $1) }
    } else {
      record = yielded.record(.completed, wanted) { $0.emit(.absent, into: $1) }
    }
    let origin = Origin(record: record, tick: TraceRecords.writer.pointee.last)
    yielded.tellSender(of: record, wanted)
    state.withLock { $0.end?.origin = origin }
    return origin
  }

  // MARK: - The end

  /// The underlying stream has ended: by `finish`, or because nobody receives any more.
  func terminate(isCancelled: Bool) {
    let (end, handler) = state.withLock { state in
      state.hasTerminated = true
      defer { state.onTermination = nil }
      return (state.end, state.onTermination)
    }
    let reason: EndReason = isCancelled ? .disposed : end?.failure == nil ? .completed : .failed
    state.withLock { $0.edge.tellEnd(of: yielded, reason) }
    handler?(isCancelled ? .cancelled : .finished)
  }

  /// Returns the end for the consumer, who is told of a failure once.
  func takeEnd() -> End {
    state.withLock { state in
      defer { state.end?.failure = nil }
      return state.end ?? End()
    }
  }

  var onTermination: (@Sendable (TracedStream<Element, Failure>.Continuation.Termination) -> Void)?
  {
    get { state.withLock { $0.onTermination } }
    set { state.withLock { $0.onTermination = newValue } }
  }
}
