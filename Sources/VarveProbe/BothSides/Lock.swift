public import CVarveSystem

/// A value protected by the platform's own mutex. Copies of a lock share the value.
///
/// `Synchronization.Mutex` would do, but ThreadSanitizer does not see its futex and reports false
/// races. State and mutex share one allocation, and the code is inlinable because an unspecialized
/// generic would cost several times as much as the mutex itself.
@frozen
public struct Lock<State>: @unchecked Sendable {
  // Safety: the state is accessed only while the mutex is held, and `withLock` lets no reference to
  // its storage escape.
  @usableFromInline let storage: ManagedBuffer<State, vv_mutex>

  /// Creates a lock around `state`.
  @inlinable
  public init(_ state: State) {
    storage = LockStorage<State>.create(minimumCapacity: 1) { storage in
      storage.withUnsafeMutablePointerToElements { vv_mutex_make($0) }
      return state
    }
  }

  /// Runs `body` with exclusive access to the state. Not recursive; never call user code in it.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeMutablePointers { state, mutex throws(Failure) in
      vv_mutex_lock(mutex)
      defer { vv_mutex_unlock(mutex) }
      return try body(&state.pointee)
    }
  }

  /// Locks the mutex across a `fork`, which only the calling thread survives.
  package func hold() { storage.withUnsafeMutablePointerToElements { vv_mutex_lock($0) } }

  /// The state, for a caller that holds the lock through `hold`.
  package var held: State { storage.withUnsafeMutablePointerToHeader { $0.pointee } }

  /// Unlocks what `hold` locked, in the parent and in the child.
  package func letGo() { storage.withUnsafeMutablePointerToElements { vv_mutex_unlock($0) } }
}

@usableFromInline
final class LockStorage<State>: ManagedBuffer<State, vv_mutex> {
  @inlinable
  deinit {
    withUnsafeMutablePointerToElements { vv_mutex_destroy($0) }
  }
}
