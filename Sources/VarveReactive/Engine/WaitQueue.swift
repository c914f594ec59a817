internal import VarvePlatform

/// Where threads sleep until others wake them: a mutex, and a condition behind it. For slow paths
/// that share one place for ever.
package struct WaitQueue: @unchecked Sendable {
  // Safety: made once, never freed; mutexes and conditions are there to be shared.
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

  /// Enters, alone. What is looked at in here cannot be changed by who wakes meanwhile.
  package func enter() { pthread_mutex_lock(mutex) }

  /// Leaves.
  package func leave() { pthread_mutex_unlock(mutex) }

  /// Sleeps until somebody wakes all, or for no reason; others may enter meanwhile.
  package func sleep() { pthread_cond_wait(changed, mutex) }

  /// Wakes all who sleep.
  package func wakeAll() {
    enter()
    pthread_cond_broadcast(changed)
    leave()
  }
}
