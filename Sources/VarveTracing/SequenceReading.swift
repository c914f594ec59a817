internal import VarveProbe

/// One iteration of a traced sequence. Its release before the end means that the iteration was
/// given up.
final class SequenceReading {
  private let stream: RecordedStream
  /// The subscription through which elements come to the stream; 0 if the iteration itself is.
  private let feed: UInt64
  private var subscription = TracedSubscription()

  init(_ stream: RecordedStream, feed: UInt64 = 0) {
    self.stream = stream
    self.feed = feed
    if let wanted = stream.wanted { subscription.tellBeginning(of: stream, wanted) }
  }

  deinit { subscription.tellEnd(of: stream, Task.isCancelled ? .interrupted : .disposed) }

  /// The task asks for an element, and has received nothing yet that could be the element's cause.
  func begin() {
    guard let wanted = stream.wanted else { return }
    subscription.tellBeginning(of: stream, wanted)
    if TraceRecords.awaited != 0 { TraceRecords.noteAwaited(0) }
  }

  /// The task has received an element.
  ///
  /// - Parameter origin: The record of the element's yielding, if it is known.
  func receive<Element>(_ element: Element, from origin: Origin = Origin()) {
    guard let wanted = stream.wanted, stream.takesNext(wanted) else { return }
    let reference = stream.record(.value, wanted, subscription: edge, origin: origin) {
      $0.emit(element, as: wanted.form, into: $1)
    }
    TraceRecords.noteAwaited(reference)
  }

  private var edge: UInt64 { feed == 0 ? subscription.number : feed }

  /// The sequence has returned nil, which it also does when the task is cancelled.
  func finish(from origin: Origin = Origin()) {
    end(Task.isCancelled ? .interrupted : .completed, from: origin)
  }

  func fail(_ error: any Error, from origin: Origin = Origin()) {
    if error is CancellationError { return end(.interrupted, from: origin) }
    guard !subscription.hasEnded, let wanted = stream.wanted else { return }
    let form = PayloadForm(of: type(of: error), wish: wanted.wish)
    func emit<Failure: Error>(_ error: Failure) -> UInt64 {
      stream.record(.failed, wanted, subscription: edge, origin: origin) {
        $0.emit(error, as: form, into: $1)
      }
    }
    TraceRecords.noteAwaited(emit(error))
    subscription.tellEnd(of: stream, .failed)
  }

  private func end(_ reason: EndReason, from origin: Origin) {
    guard !subscription.hasEnded else { return }
    if let wanted = stream.wanted {
      let kind = reason == .completed ? RecordKind.completed : .interrupted
      let reference = stream.record(kind, wanted, subscription: edge, origin: origin) {
        $0.emit(.absent, into: $1)
      }
      TraceRecords.noteAwaited(reference)
    }
    subscription.tellEnd(of: stream, reason)
  }
}
