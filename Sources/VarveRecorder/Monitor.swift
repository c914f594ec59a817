internal import VarvePlatform

/// A value protected by a mutex, with a way to wait for changes.
final class Monitor<State>: @unchecked Sendable {
  // Safety: `state` is accessed only while `mutex` is held, and no reference to it escapes.
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

  /// Runs `body` with exclusive access to the state, then wakes the threads waiting for a change.
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

  /// Waits until `body` returns a value for the state, and returns that value.
  func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let found = body(&state.pointee) { return found }
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Replaces the state without reading or releasing the present one. For the child of a fork: a
  /// thread that does not exist there may have been changing it.
  func beginAnew(_ state: State) {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    self.state.initialize(to: state)
  }
}
