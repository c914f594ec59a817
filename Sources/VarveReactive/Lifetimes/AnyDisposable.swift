internal import CVarveSystem
internal import Synchronization

/// A disposable that runs a closure, or disposes of another disposable, at most once.
///
///     let connection = AnyDisposable { socket.close() }
///     connection.dispose()
///
/// Its contents are released as soon as it has been disposed of, so a disposable that is kept
/// longer keeps nothing else alive. It takes one allocation, and disposing of it takes one atomic
/// operation.
public final class AnyDisposable: Disposable {
  private enum Phase {
    static let live: UInt8 = 0
    /// A thread is examining the contents, for no longer than a retain takes.
    static let examined: UInt8 = 1
    static let disposed: UInt8 = 2
  }

  private let phase = Atomic<UInt8>(Phase.live)
  // Safety: read and written only by the thread that took `phase` out of `live`, and by `init`.
  private nonisolated(unsafe) var held: Disposal?
  private let standsForAnother: Bool

  /// Creates a disposable that only remembers whether it was disposed of.
  public init() {
    held = nil
    standsForAnother = false
  }

  /// Creates a disposable that runs `action` when it is disposed of.
  @preconcurrency
  public init(_ action: @escaping @Sendable () -> Void) {
    held = .action(action)
    standsForAnother = false
  }

  /// Creates a disposable that stands for `disposable`: it is disposed of when that one is.
  public init(_ disposable: any Disposable) {
    held = .disposable(disposable)
    standsForAnother = true
  }

  /// Whether this, or the disposable it stands for, has been disposed of.
  public var isDisposed: Bool {
    guard standsForAnother else { return phase.load(ordering: .acquiring) == Phase.disposed }
    guard take(into: Phase.examined) else { return true }
    let disposal = held
    phase.store(Phase.live, ordering: .releasing)
    guard case .disposable(let inner) = disposal else { return false }
    return inner.isDisposed
  }

  /// Runs the closure, or disposes of the other disposable, unless that has already happened.
  public func dispose() {
    guard take(into: Phase.disposed) else { return }
    let disposal = held
    held = nil
    disposal?.perform()
  }

  /// Moves from `live` to `next`; returns false if this has been disposed of.
  private func take(into next: UInt8) -> Bool {
    var turns: UInt32 = 0
    while true {
      let (exchanged, found) = phase.weakCompareExchange(
        expected: Phase.live, desired: next, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      if found == Phase.disposed { return false }
      if found == Phase.examined { vv_wait_a_turn(&turns) }
    }
  }
}
