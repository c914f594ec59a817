internal import VarvePlatform

/// A place where threads sleep until others wake them: a mutex and a condition variable. For slow
/// paths that share one place for the life of the process.
package struct WaitQueue: @unchecked Sendable {
  // Safety: created once and never freed; mutexes and condition variables are made to be shared.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    changed.initialize(to: pthread_cond_t())
    pthread_cond_init(changed, nil)
  }

  /// Enters, excluding other threads. A waking thread cannot change state that is read in here.
  package func enter() { pthread_mutex_lock(mutex) }

  /// Leaves.
  package func leave() { pthread_mutex_unlock(mutex) }

  /// Sleeps until `wakeAll`, or spuriously; other threads may enter meanwhile.
  package func sleep() { pthread_cond_wait(changed, mutex) }

  /// Wakes all sleeping threads.
  package func wakeAll() {
    enter()
    pthread_cond_broadcast(changed)
    leave()
  }
}
