public import CVarveSystem

/// A value behind the platform's own mutex. Copies of a lock are the same lock.
///
/// `Synchronization.Mutex` would do, but ThreadSanitizer does not see its futex and reports races
/// where there are none. State and mutex lie in one allocation, and the code is inlinable: an
/// unspecialised generic would cost several times what the mutex does.
@frozen
public struct Lock<State>: @unchecked Sendable {
  // Safety: the state is reached only while the mutex is held; `withLock` lets no reference to its
  // storage out.
  @usableFromInline let storage: ManagedBuffer<State, vv_mutex>

  /// Creates a lock around `state`.
  @inlinable
  public init(_ state: State) {
    storage = LockStorage<State>.create(minimumCapacity: 1) { storage in
      storage.withUnsafeMutablePointerToElements { vv_mutex_make($0) }
      return state
    }
  }

  /// Runs `body` with the state, alone. Not recursive; never call user code in it.
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

  /// Keeps everybody else out over a `fork`, in which only the calling thread survives.
  package func hold() { storage.withUnsafeMutablePointerToElements { vv_mutex_lock($0) } }

  /// The state, for whoever has called `hold`.
  package var held: State { storage.withUnsafeMutablePointerToHeader { $0.pointee } }

  /// Ends what `hold` began, in the parent and in the child.
  package func letGo() { storage.withUnsafeMutablePointerToElements { vv_mutex_unlock($0) } }
}

@usableFromInline
final class LockStorage<State>: ManagedBuffer<State, vv_mutex> {
  @inlinable
  deinit {
    withUnsafeMutablePointerToElements { vv_mutex_destroy($0) }
  }
}
