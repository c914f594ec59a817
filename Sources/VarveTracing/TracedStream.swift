internal import VarveProbe

extension AsyncStream where Element: Sendable {
  /// A stream and its continuation, both of which a recording shows under this name.
  ///
  ///     let (keys, typed) = AsyncStream.makeStream(of: String.self, named: "keys")
  ///
  /// What is yielded is recorded as the stream `keys`, with the code that yields it; what the
  /// consumer receives as `keys.values`, each element caused by its yielding. So the recording has
  /// how long each element waited for its consumer (`varve why`), how many are waiting, which
  /// ones the buffering policy dropped, and who cancelled or finished the stream.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - name: The name of the stream.
  ///   - limit: What becomes of elements that nobody waits for.
  ///   - file: The file in which the stream is named; leave out.
  ///   - line: The line; leave out.
  public static func makeStream(
    of type: Element.Type = Element.self, named name: String,
    bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (
    stream: TracedStream<Element, Never>, continuation: TracedStream<Element, Never>.Continuation
  ) {
    TracedStream.make(
      name, Place(file: "\(file)", line: UInt32(clamping: line)), buffering: limit)
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// A stream that may fail, and its continuation, both of which a recording shows under this name.
  /// See `AsyncStream.makeStream(of:named:bufferingPolicy:file:line:)`.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - name: The name of the stream.
  ///   - limit: What becomes of elements that nobody waits for.
  ///   - file: The file in which the stream is named; leave out.
  ///   - line: The line; leave out.
  public static func makeStream(
    of type: Element.Type = Element.self, named name: String,
    bufferingPolicy limit: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (
    stream: TracedStream<Element, any Error>,
    continuation: TracedStream<Element, any Error>.Continuation
  ) {
    TracedStream.make(
      name, Place(file: "\(file)", line: UInt32(clamping: line)), buffering: limit)
  }
}

/// An asynchronous stream that is recorded where elements are yielded and where they are received.
/// `AsyncStream.makeStream(named:)` makes one.
///
/// As with `AsyncStream`, there should be one consumer.
public struct TracedStream<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  private let base: AsyncStream<Passage<Element, Failure>.Item>
  private let passage: Passage<Element, Failure>

  /// Begins to receive elements.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), passage: passage)
  }

  /// An iterator that records the elements that it returns.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: AsyncStream<Passage<Element, Failure>.Item>.Iterator
    private let passage: Passage<Element, Failure>
    private let reading: SequenceReading

    fileprivate init(
      base: AsyncStream<Passage<Element, Failure>.Item>.Iterator,
      passage: Passage<Element, Failure>
    ) {
      self.base = base
      self.passage = passage
      reading = SequenceReading(passage.received, feed: passage.edge)
    }

    /// Waits for the next element; returns nil at the end, or when the task is cancelled.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }

    /// Waits for the next element; returns nil at the end, or when the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      reading.begin()
      if let item = await base.next(isolation: actor) {
        reading.receive(item.element, from: item.origin)
        return item.element
      }
      let end = passage.takeEnd()
      guard let failure = end.failure else {
        reading.finish(from: end.origin)
        return nil
      }
      reading.fail(failure, from: end.origin)
      throw failure
    }
  }

  static func make(
    _ name: String, _ place: Place, buffering: AsyncStream<Element>.Continuation.BufferingPolicy
  ) -> (stream: Self, continuation: Continuation) {
    let passage = Passage<Element, Failure>(name, place, buffering)
    let policy: AsyncStream<Passage<Element, Failure>.Item>.Continuation.BufferingPolicy =
      switch buffering {
      case .bufferingOldest(let count): .bufferingOldest(count)
      case .bufferingNewest(let count): .bufferingNewest(count)
      default: .unbounded
      }
    let (base, input) = AsyncStream.makeStream(
      of: Passage<Element, Failure>.Item.self, bufferingPolicy: policy)
    input.onTermination = { passage.terminate(isCancelled: $0 == .cancelled) }
    return (
      Self(base: base, passage: passage), Continuation(base: input, passage: passage)
    )
  }
}
