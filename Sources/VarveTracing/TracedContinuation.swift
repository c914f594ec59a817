extension TracedStream {
  /// The input of a stream; what is yielded is recorded. It has the face of
  /// `AsyncStream.Continuation`.
  public struct Continuation: Sendable {
    /// What became of an element.
    public typealias YieldResult = AsyncStream<Element>.Continuation.YieldResult

    /// How a stream ended.
    public enum Termination: Sendable, Hashable {
      /// `finish` was called.
      case finished
      /// The consumer's task was cancelled, or the consumer is gone.
      case cancelled
    }

    private let base: AsyncStream<Passage<Element, Failure>.Item>.Continuation
    private let passage: Passage<Element, Failure>

    init(
      base: AsyncStream<Passage<Element, Failure>.Item>.Continuation,
      passage: Passage<Element, Failure>
    ) {
      self.base = base
      self.passage = passage
    }

    /// Hands an element to the consumer, or to the buffer.
    @discardableResult
    public func yield(_ element: Element) -> YieldResult {
      let item = passage.yield(element)
      switch passage.deliver(from: item.origin, { base.yield(item) }) {
      case .enqueued(let remaining):
        return .enqueued(remaining: remaining)
      case .dropped(let dropped):
        passage.drop(dropped)
        return .dropped(dropped.element)
      default:
        passage.refuse(item)
        return .terminated
      }
    }

    /// Ends the stream after the elements that are in the buffer.
    public func finish() { finish(failure: nil) }

    /// Ends the stream with a failure after the elements that are in the buffer.
    public func finish(throwing failure: Failure) { finish(failure: failure) }

    /// Ends the stream after the elements that are in the buffer.
    ///
    /// - Parameter failure: The failure; nil to complete.
    public func finish(throwing failure: Failure?) { finish(failure: failure) }

    private func finish(failure: Failure?) {
      guard let origin = passage.finish(failure) else { return }
      passage.deliver(from: origin) { base.finish() }
    }

    /// Called once when the stream has ended.
    public var onTermination: (@Sendable (Termination) -> Void)? {
      get { passage.onTermination }
      nonmutating set { passage.onTermination = newValue }
    }
  }
}

extension TracedStream.Continuation where Element == Void {
  /// Hands `()` to the consumer, or to the buffer.
  @discardableResult
  public func yield() -> YieldResult { yield(()) }
}

extension TracedStream.Continuation {
  /// Hands a success to the consumer, or ends the stream with a failure.
  @discardableResult
  public func yield(with result: Result<Element, Failure>) -> YieldResult {
    switch result {
    case .success(let element): return yield(element)
    case .failure(let failure):
      finish(throwing: failure)
      return .terminated
    }
  }
}
