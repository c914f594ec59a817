#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A value behind the platform's own mutex.
///
/// `Synchronization.Mutex` would do, but ThreadSanitizer does not see its futex and reports races
/// where there are none.
public final class Lock<State>: @unchecked Sendable {
  // Safety: `state` is reached only while `mutex` is held; `withLock` lets no reference to its
  // storage out.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  /// Creates a lock around `state`.
  public init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` with the state, alone. Not recursive; never call user code in it.
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Keeps everybody else out over a `fork`, in which only the calling thread survives.
  package func hold() { pthread_mutex_lock(mutex) }

  /// Ends what `hold` began, in the parent and in the child.
  package func letGo() { pthread_mutex_unlock(mutex) }
}
