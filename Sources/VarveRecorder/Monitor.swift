internal import VarvePlatform

/// A value behind a mutex, and a way to wait until it has changed.
final class Monitor<State>: @unchecked Sendable {
  // Safety: `state` is reached only while `mutex` is held; nothing lets a reference to it out.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)

  init(_ state: State) { beginAnew(state) }

  deinit {
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
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
    return try body(&state.pointee)
  }

  /// Waits until `body` finds what it looks for in the state, and returns that.
  func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let found = body(&state.pointee) { return found }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Puts another state in place of the present one, which is neither looked at nor released. For the
  /// child of a fork: a thread that it does not have may have been in the midst of a change.
  func beginAnew(_ state: State) {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    self.state.initialize(to: state)
  }
}
