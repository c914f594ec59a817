internal import CVarveSystem

/// The latest value of a property: changed by one thread at a time, readable by any thread at any
/// time.
///
/// Readers hold a lock for the duration of a copy. A client's closure that changes the value in
/// place runs without the lock; readers then wait for the serializer, which detects two properties
/// that read each other during such changes and would otherwise deadlock.
///
/// The value and the mutex are accessed through pointers: in a generic class, a stored value would
/// cost an exclusivity check, and a generic lock a type look-up.
final class CurrentValue<Value>: @unchecked Sendable {
  // Safety: all state is accessed under the mutex, except `storage` while `isChanging`: then it
  // belongs to the thread inside the property's serializer.

  /// A change that was posted and has not been delivered.
  private struct Posted {
    var value: Held<Value>
    var version: UInt64
  }

  private struct State {
    /// The number of changes so far.
    var version: UInt64 = 0
    var isChanging = false
  }

  private let mutex: UnsafeMutablePointer<vv_mutex>
  private let storage: UnsafeMutablePointer<Value>
  private let state: UnsafeMutablePointer<State>
  private var posted: [Posted] = []

  init(_ initial: Value) {
    mutex = .allocate(capacity: 1)
    vv_mutex_make(mutex)
    storage = .allocate(capacity: 1)
    storage.initialize(to: initial)
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    storage.deinitialize(count: 1)
    storage.deallocate()
    state.deallocate()
    vv_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  private func locked<Result>(_ body: () -> Result) -> Result {
    vv_mutex_lock(mutex)
    defer { vv_mutex_unlock(mutex) }
    return body()
  }

  /// Whether a closure is changing the value in place.
  var isChanging: Bool { locked { state.pointee.isChanging } }

  /// The number of changes so far.
  var version: UInt64 { locked { state.pointee.version } }

  /// The value, or nil while a closure changes it in place.
  func read() -> Value? {
    locked { state.pointee.isChanging ? nil : storage.pointee }
  }

  // The following two methods return one of their results through an argument: returning a pair
  // would look up its type for each change.

  /// Returns the value and stores its version in the argument. Called inside the property's
  /// serializer.
  func read(_ version: inout UInt64) -> Value {
    vv_mutex_lock(mutex)
    defer { vv_mutex_unlock(mutex) }
    version = state.pointee.version
    return storage.pointee
  }

  /// Exchanges the value with `other` and returns the version of the new value. Called inside the
  /// property's serializer.
  func exchange(_ other: inout Value) -> UInt64 {
    vv_mutex_lock(mutex)
    defer { vv_mutex_unlock(mutex) }
    Swift.swap(&storage.pointee, &other)
    state.pointee.version += 1
    return state.pointee.version
  }

  /// Changes the value in place. Called inside the property's serializer.
  func change<Result, Failure: Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) -> Swift.Result<Result, Failure> {
    locked { state.pointee.isChanging = true }
    defer {
      locked {
        state.pointee.isChanging = false
        state.pointee.version += 1
      }
    }
    do throws(Failure) { return .success(try action(&storage.pointee)) } catch {
      return .failure(error)
    }
  }

  /// Replaces the value, from any thread, and stores the change for delivery. Cannot be combined
  /// with `change(_:)`.
  func post(_ newValue: Value) {
    let value = Held(newValue)
    let old = locked {
      state.pointee.version += 1
      posted.append(Posted(value: value, version: state.pointee.version))
      let old = storage.move()
      storage.initialize(to: newValue)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Removes and returns the oldest undelivered posted change, unless its version is later than
  /// `last`.
  func takePosted(upTo last: UInt64) -> (value: Held<Value>, version: UInt64)? {
    locked {
      guard let first = posted.first, first.version <= last else { return nil }
      let next = posted.removeFirst()
      return (next.value, next.version)
    }
  }
}
