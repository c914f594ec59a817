internal import CVarveSystem

/// The latest value of a property, behind a mutex of its own.
///
/// Value and mutex are reached through pointers: in a generic class, a stored value would cost an
/// exclusivity check, and a generic lock the search for its type.
final class LatestBox<Value>: @unchecked Sendable {
  // Safety: the value is reached only while the mutex is held.
  private let value: UnsafeMutablePointer<Value>
  private let mutex: UnsafeMutablePointer<vv_mutex>

  init(_ initial: Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
    mutex = .allocate(capacity: 1)
    vv_mutex_make(mutex)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    vv_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// The value.
  func load() -> Value {
    vv_mutex_lock(mutex)
    defer { vv_mutex_unlock(mutex) }
    return value.pointee
  }

  /// Replaces the value and returns the one before, for release where no lock is held.
  func exchange(_ newValue: Value) -> Value {
    vv_mutex_lock(mutex)
    defer { vv_mutex_unlock(mutex) }
    let old = value.move()
    value.initialize(to: newValue)
    return old
  }

  /// Changes the value in place.
  func mutate<Result, Failure: Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    vv_mutex_lock(mutex)
    defer { vv_mutex_unlock(mutex) }
    return try action(&value.pointee)
  }
}
