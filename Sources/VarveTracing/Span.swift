internal import VarveProbe

/// A stretch of the program's work that is being recorded.
struct Span {
  private let stream: RecordedStream
  private var subscription = TracedSubscription()
  /// The record of the beginning.
  let beginning: UInt64

  /// Records the beginning; nil if the recording does not want it.
  init?(_ name: StaticString, _ file: StaticString, _ line: UInt) {
    stream = SpanStreams.stream(name, file, line)
    guard let wanted = stream.wanted else { return nil }
    beginning = subscription.tellBeginning(of: stream, wanted)
  }

  /// Records the end.
  mutating func end(_ error: (any Error)?) {
    guard let wanted = stream.wanted else { return }
    let reason: EndReason =
      switch error {
      case nil: .completed
      case is CancellationError: .interrupted
      default: .failed
      }
    let origin = Origin(record: beginning, tick: 0)
    switch (reason, error) {
    case (.failed, let error?):
      let form = PayloadForm(of: type(of: error), wish: wanted.wish)
      func emit<Failure: Error>(_ error: Failure) {
        stream.record(.failed, wanted, subscription: subscription.number, origin: origin) {
          $0.emit(error, as: form, into: $1)
        }
      }
      emit(error)
    default:
      stream.record(
        reason == .completed ? .completed : .interrupted, wanted,
        subscription: subscription.number, origin: origin
      ) { $0.emit(.absent, into: $1) }
    }
    subscription.tellEnd(of: stream, reason)
  }
}

/// The streams of all spans: one for each place in the program.
private enum SpanStreams {
  private struct Key: Hashable {
    var name: UInt
    var file: UInt
    var line: UInt
  }

  private static let known = Probe.keptOverForks(Lock<[Key: RecordedStream]>([:]))

  static func stream(_ name: StaticString, _ file: StaticString, _ line: UInt) -> RecordedStream {
    // Literals keep their addresses, so that there are as many streams as places.
    let key = Key(name: address(of: name), file: address(of: file), line: line)
    if let stream = known.withLock({ $0[key] }) { return stream }
    let stream = RecordedStream(
      "\(name)", operation: "span",
      place: Place(file: "\(file)", line: UInt32(clamping: line)), valueType: Void.self,
      traits: [.hasEffects, .throwsFailure])
    return known.withLock { known in
      if let other = known[key] { return other }
      known[key] = stream
      return stream
    }
  }

  private static func address(of literal: StaticString) -> UInt {
    literal.hasPointerRepresentation
      ? UInt(bitPattern: literal.utf8Start) : UInt(literal.unicodeScalar.value)
  }
}
