internal import VarveProbe

/// The values that have arrived and that an `await` loop has not read.
final class AsyncInbox<Value: Sendable, Failure: Error>: Observer<Value, Failure>,
  @unchecked Sendable
{
  // Safety: the state is locked; the rest is immutable.

  /// The result of a read.
  enum Delivery: Sendable {
    case value(Held<Value>)
    /// The end, and what caused it.
    case end(Termination<Failure>, cause: UInt64)
  }

  private typealias Reader = CheckedContinuation<Delivery, Never>

  private struct State {
    var waiting = FIFOQueue<Held<Value>>()
    var end: Delivery?
    var readers: [Reader] = []

    /// Keeps a value; returns the value for which there is no room, if any.
    mutating func keep(
      _ value: Held<Value>, as buffering: AsyncBuffering
    ) -> Held<Value>? {
      switch buffering {
      case .unbounded: break
      case .newest(let count):
        if waiting.count == count {
          defer { waiting.append(value) }
          return waiting.takeFirst()
        }
      case .oldest(let count):
        if waiting.count == count { return value }
      }
      waiting.append(value)
      return nil
    }

    mutating func take(or reader: Reader) -> Delivery? {
      if let held = waiting.takeFirst() { return .value(held) }
      if let end = takeEnd() { return end }
      readers.append(reader)
      return nil
    }

    /// Returns the end if it has arrived. A failure is thrown once: an iterator is at its end
    /// afterwards.
    mutating func takeEnd() -> Delivery? {
      guard case .end(.failed, let cause) = end else { return end }
      defer { end = .end(.completed, cause: cause) }
      return end
    }
  }

  private let state = Lock(State())
  private let buffering: AsyncBuffering
  private let reference: StreamReference
  private let number = Subscription.newNumber()

  /// - Parameter reference: the stream that is read.
  init(_ buffering: AsyncBuffering, of reference: StreamReference) {
    switch buffering {
    case .unbounded: break
    case .newest(let count), .oldest(let count):
      precondition(count > 0, "at least one value has to be kept")
    }
    self.buffering = buffering
    self.reference = reference
    super.init()
  }

  override var feed: UInt64 { number }

  override func receive(_ value: Value) {
    let held = Held(value)
    let (reader, dropped) = state.withLock { state -> (Reader?, Held<Value>?) in
      guard state.end == nil else { return (nil, nil) }
      guard state.readers.isEmpty else { return (state.readers.removeFirst(), nil) }
      return (nil, state.keep(held, as: buffering))
    }
    reader?.resume(returning: .value(held))
    InputAccount(of: reference, from: number).swallow(dropped, .superseded)
  }

  override func terminate(_ termination: Termination<Failure>) {
    let end = Delivery.end(termination, cause: Records.currentCause)
    let readers = state.withLock { state -> [(Reader, Delivery)] in
      guard state.end == nil else { return [] }
      state.end = end
      defer { state.readers = [] }
      return state.readers.map { ($0, state.takeEnd() ?? end) }
    }
    for (reader, delivery) in readers { reader.resume(returning: delivery) }
  }

  /// Waits for a value, or for the end. Cancelling the task calls `stop` and ends the reading.
  func next(
    isolation: isolated (any Actor)?, whenCancelled stop: @escaping @Sendable () -> Void
  ) async -> Delivery {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let delivery = state.withLock { $0.take(or: continuation) }
        if let delivery { continuation.resume(returning: delivery) }
      }
    } onCancel: {
      discard()
      stop()
    }
  }

  /// Discards the values that were not read, and delivers the end to all waiting readers.
  private func discard() {
    let discarded = state.withLock { $0.waiting.takeAll() }
    withExtendedLifetime(discarded) {}
    terminate(.interrupted)
  }
}
