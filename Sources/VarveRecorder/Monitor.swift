internal import VarvePlatform

/// A value behind a mutex, and a way to wait until it has changed.
final class Monitor<State>: @unchecked Sendable {
  // Safety: `state` is reached only while `mutex` is held; nothing lets a reference to it out.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var state: State

  init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    changed.initialize(to: pthread_cond_t())
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the state, alone, then wakes whoever waits for a change.
  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `body` finds what it looks for in the state, and returns that.
  func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let found = body(&state) { return found }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Keeps everybody else out over a `fork`, in which only the calling thread survives.
  func hold() { pthread_mutex_lock(mutex) }

  /// Ends what `hold` began, after a last change.
  func letGo(after change: (inout State) -> Void = { _ in }) {
    change(&state)
    pthread_mutex_unlock(mutex)
  }
}
