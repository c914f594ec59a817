internal import VarveProbe

/// A disposable that holds one other disposable at a time, and disposes of it when another takes
/// its place.
///
/// Once this has been disposed of, any disposable that is put in is disposed of at once.
public final class SerialDisposable: Disposable {
  private struct Slot {
    var inner: (any Disposable)?
    var isDisposed = false
  }

  private let slot: Lock<Slot>

  /// Creates a serial disposable that holds `disposable`.
  public init(_ disposable: (any Disposable)? = nil) {
    slot = Lock(Slot(inner: disposable))
  }

  /// The disposable that is held. Setting it disposes of the previous one.
  public var inner: (any Disposable)? {
    get { slot.withLock { $0.inner } }
    set { swapInner(newValue)?.dispose() }
  }

  /// Puts in `disposable` and returns the previous one, which is not disposed of.
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

  /// Disposes of the held disposable, and from now on of any other that is put in.
  public func dispose() {
    let inner = slot.withLock { slot -> (any Disposable)? in
      defer { slot = Slot(inner: nil, isDisposed: true) }
      return slot.inner
    }
    inner?.dispose()
  }
}
