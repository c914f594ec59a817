internal import VarveProbe

/// Holds one disposable at a time and disposes of it when another takes its place.
///
/// Once this has been disposed of, whatever is put in is disposed of at once.
public final class SerialDisposable: Disposable {
  private struct Slot {
    var inner: (any Disposable)?
    var isDisposed = false
  }

  private let slot: Lock<Slot>

  /// Creates one that holds `disposable`.
  public init(_ disposable: (any Disposable)? = nil) {
    slot = Lock(Slot(inner: disposable))
  }

  /// What it holds. Setting it disposes of what it held before.
  public var inner: (any Disposable)? {
    get { slot.withLock { $0.inner } }
    set { swapInner(newValue)?.dispose() }
  }

  /// Puts `disposable` in and hands back what was there, which is not disposed of.
  @discardableResult
  public func swapInner(_ disposable: (any Disposable)?) -> (any Disposable)? {
    let (previous, isLate) = slot.withLock { slot -> ((any Disposable)?, Bool) in
      if slot.isDisposed { return (nil, true) }
      let previous = slot.inner
      slot.inner = disposable
      return (previous, false)
    }
    if isLate { disposable?.dispose() }
    return previous
  }

  /// Whether it has been disposed of.
  public var isDisposed: Bool { slot.withLock { $0.isDisposed } }

  /// Disposes of what it holds, and from now on of whatever is put in.
  public func dispose() {
    let inner = slot.withLock { slot -> (any Disposable)? in
      defer { slot = Slot(inner: nil, isDisposed: true) }
      return slot.inner
    }
    inner?.dispose()
  }
}
