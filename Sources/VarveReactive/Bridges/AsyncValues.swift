internal import VarveProbe

/// A stream's values for an `await` loop. See `SignalProducer.values(buffering:)`.
///
/// A failure is thrown out of the loop; completion and interruption end it.
public struct AsyncValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// A value.
  public typealias Element = Value

  private let begin: @Sendable () -> AsyncReading<Value, Failure>
  /// The first iterator's reading, if the stream is already observed.
  private let prepared: Lock<AsyncReading<Value, Failure>?>

  init(
    prepared: AsyncReading<Value, Failure>? = nil,
    begin: @escaping @Sendable () -> AsyncReading<Value, Failure>
  ) {
    self.begin = begin
    self.prepared = Lock(prepared)
  }

  /// Begins reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: prepared.withLock { $0.take() } ?? begin())
  }

  /// An iterator that reads one value after the other. Releasing it disposes of the observation or
  /// the start.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reading: AsyncReading<Value, Failure>

    /// Waits for the next value; returns nil at the end, or when the task is cancelled.
    public mutating func next() async throws(Failure) -> Value? {
      try await reading.next(isolation: nil)
    }

    /// Waits for the next value; returns nil at the end, or when the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Value? {
      try await reading.next(isolation: actor)
    }
  }
}

/// An observation, or a start, whose values are read.
final class AsyncReading<Value: Sendable, Failure: Error>: Sendable {
  private let inbox: AsyncInbox<Value, Failure>
  private let observation: (any Disposable)?

  init(
    _ inbox: AsyncInbox<Value, Failure>,
    _ observe: (AsyncInbox<Value, Failure>) -> (any Disposable)?
  ) {
    self.inbox = inbox
    observation = observe(inbox)
  }

  deinit { observation?.dispose() }

  func next(isolation: isolated (any Actor)?) async throws(Failure) -> Value? {
    let delivery = await inbox.next(isolation: isolation) { [observation] in
      observation?.dispose()
    }
    switch delivery {
    case .value(let held):
      Records.noteAwaited(held.cause)
      return held.value
    case .end(let termination, let cause):
      Records.noteAwaited(cause)
      if case .failed(let failure) = termination { throw failure }
      return nil
    }
  }
}

extension SignalProducer where Value: Sendable {
  /// The values for an `await` loop.
  ///
  ///     for try await page in pages.values(buffering: .newest(1)) { show(page) }
  ///
  /// Each iterator is a separate start. The work is started when the loop begins, and disposed of
  /// when the loop is left or its task is cancelled. The loop ends with the stream; a failure is
  /// thrown.
  ///
  /// - Parameter buffering: what becomes of values that arrive while the loop is busy.
  public func values(buffering: AsyncBuffering) -> AsyncValues<Value, Failure> {
    AsyncValues {
      AsyncReading(AsyncInbox(buffering, of: .recipe(recipe))) { begin(into: $0) }
    }
  }

  /// Returns the first value, or nil if there is none or the task is cancelled.
  ///
  /// The work is disposed of afterwards. This blocks no thread; in synchronous code, use
  /// `waitForFirst()`.
  ///
  /// - Throws: the failure, if it comes first.
  public func first() async throws(Failure) -> Value? {
    var iterator = take(first: 1).values(buffering: .oldest(1)).makeAsyncIterator()
    return try await iterator.next()
  }
}

extension Signal where Value: Sendable {
  /// The values for an `await` loop, from now on.
  ///
  ///     let taps = button.taps.values(buffering: .newest(1))
  ///     for await tap in taps { await handle(tap) }
  ///
  /// Like every operator, this observes the signal at once, so nothing is missed between this call
  /// and the loop. Iterators other than the first begin reading when they are created. The
  /// observation is disposed of when the loop is left or its task is cancelled.
  ///
  /// - Parameter buffering: what becomes of values that arrive while the loop is busy.
  public func values(buffering: AsyncBuffering) -> AsyncValues<Value, Failure> {
    let read: @Sendable () -> AsyncReading<Value, Failure> = { [self] in
      AsyncReading(AsyncInbox(buffering, of: .identity(identity))) { attach($0) }
    }
    return AsyncValues(prepared: read(), begin: read)
  }

  /// Returns the first value from now on, or nil if there is none or the task is cancelled.
  ///
  /// - Throws: the failure, if it comes first.
  public func first() async throws(Failure) -> Value? {
    var iterator = values(buffering: .oldest(1)).makeAsyncIterator()
    return try await iterator.next()
  }
}

extension PropertyProtocol where Value: Sendable {
  /// The latest value and the changes, for an `await` loop. See
  /// `SignalProducer.values(buffering:)`.
  public func values(buffering: AsyncBuffering) -> AsyncValues<Value, Never> {
    producer.values(buffering: buffering)
  }
}
