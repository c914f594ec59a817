internal import CVarveSystem

/// The latest value of a property: changed by one at a time, read by anybody at any time.
///
/// Readers take a lock for as long as a copy takes. A closure of the user's that changes the value in
/// place runs without it; whoever wants to read meanwhile is told to wait for the serializer, so that
/// two properties that read each other while they are changed are found out rather than hang.
///
/// Value and mutex are reached through pointers: in a generic class, a stored value would cost an
/// exclusivity check, and a generic lock the search for its type.
final class CurrentValue<Value>: @unchecked Sendable {
  // Safety: everything is touched while the mutex is held, but for `storage` while `isChanging`, which
  // belongs then to the one inside the property's serializer.

  /// A change that was posted and is still to be delivered.
  private struct Posted {
    var value: Held<Value>
    var version: UInt64
  }

  private struct State {
    /// How many times the value was changed.
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

  /// How many times the value was changed.
  var version: UInt64 { locked { state.pointee.version } }

  /// The value, or nil while a closure changes it in place.
  func read() -> Value? {
    locked { state.pointee.isChanging ? nil : storage.pointee }
  }

  // The following two return one of their results through an argument: to return both as a pair,
  // the type of the pair would have to be looked up for each change.

  /// The value; tells its version. Inside the property's serializer.
  func read(_ version: inout UInt64) -> Value {
    vv_mutex_lock(mutex)
    defer { vv_mutex_unlock(mutex) }
    version = state.pointee.version
    return storage.pointee
  }

  /// Exchanges the value for `other`; returns the new one's version. Inside the property's serializer.
  func exchange(_ other: inout Value) -> UInt64 {
    vv_mutex_lock(mutex)
    defer { vv_mutex_unlock(mutex) }
    Swift.swap(&storage.pointee, &other)
    state.pointee.version += 1
    return state.pointee.version
  }

  /// Changes the value in place. Inside the property's serializer.
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

  /// Replaces the value, from anywhere, and puts it aside for delivery. Not to be mixed with
  /// `change(_:)`.
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

  /// Takes the oldest change that was posted and not delivered, if no later one than `last`.
  func takePosted(upTo last: UInt64) -> (value: Held<Value>, version: UInt64)? {
    locked {
      guard let first = posted.first, first.version <= last else { return nil }
      let next = posted.removeFirst()
      return (next.value, next.version)
    }
  }
}
