internal import CVarveSystem

/// Collects the outcome of one start for a blocked caller.
private final class BlockedStart<Value, Failure: Error>: Observer<Value, Failure>,
  @unchecked Sendable
{
  // Safety: written by the deliveries of one start, which are serial, and read after the bell has
  // rung.

  private let bell: UnsafeMutablePointer<vv_bell>
  private(set) var count = 0
  private(set) var value: Value?
  private(set) var termination: Termination<Failure>?

  override init() {
    bell = .allocate(capacity: 1)
    vv_bell_make(bell)
    super.init()
  }

  deinit {
    vv_bell_destroy(bell)
    bell.deallocate()
  }

  override func receive(_ value: Value) {
    count += 1
    self.value = value
  }

  override func terminate(_ termination: Termination<Failure>) {
    self.termination = termination
    vv_bell_ring(bell)
  }

  /// Waits for the end of a start of `stream`.
  func wait(for stream: @autoclosure () -> StreamIdentity) {
    if vv_bell_wait(bell, 0) { return }
    var recorded = RecordedWait()
    recorded.begin(.outcome, for: stream())
    while !vv_bell_wait(bell, .max) {}
    recorded.end()
  }
}

extension SignalProducer {
  /// Starts the work and blocks the calling thread until the first value or the end.
  ///
  /// In asynchronous code, `first()` suspends instead of blocking.
  ///
  /// - Returns: the first value, or the failure if it came first; nil if there was neither.
  @available(*, noasync, message: "use `first()`, which suspends")
  public func waitForFirst() -> Result<Value, Failure>? {
    take(first: 1).single(for: reference)
  }

  /// Starts the work and blocks the calling thread until the end or a second value.
  ///
  /// - Returns: the value, if there was exactly one, or the failure; otherwise nil.
  @available(*, noasync, message: "it blocks the thread")
  public func waitForSingle() -> Result<Value, Failure>? { single(for: reference) }

  private func single(for stream: StreamReference) -> Result<Value, Failure>? {
    let outcome = take(first: 2).outcome(for: stream)
    if case .failed(let failure) = outcome.termination { return .failure(failure) }
    return outcome.count == 1 ? outcome.value.map { .success($0) } : nil
  }

  /// Starts the work and blocks the calling thread until the end.
  ///
  /// - Returns: the last value, or the failure; nil if there was neither.
  @available(*, noasync, message: "it blocks the thread")
  public func waitForLast() -> Result<Value, Failure>? {
    let outcome = outcome(for: reference)
    if case .failed(let failure) = outcome.termination { return .failure(failure) }
    return outcome.value.map { .success($0) }
  }

  /// Starts the work and blocks the calling thread until the end.
  ///
  /// - Returns: the failure, if there was one; otherwise success, even after an interruption.
  @available(*, noasync, message: "it blocks the thread")
  public func waitForEnd() -> Result<Void, Failure> {
    if case .failed(let failure) = outcome(for: reference).termination { return .failure(failure) }
    return .success(())
  }

  private func outcome(for stream: StreamReference) -> BlockedStart<Value, Failure> {
    let outcome = BlockedStart<Value, Failure>()
    begin(into: outcome)
    outcome.wait(for: stream.identity)
    return outcome
  }
}
