internal import Synchronization

/// A disposable that keeps an object until it is disposed of.
final class Retention: Disposable {
  private let object: Atomic<UInt>

  /// Creates a disposable that keeps `object`.
  init(of object: AnyObject) {
    self.object = Atomic(UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()))
  }

  deinit { dispose() }

  var isDisposed: Bool { object.load(ordering: .relaxed) == 0 }

  func dispose() {
    let word = object.exchange(0, ordering: .acquiringAndReleasing)
    guard let pointer = UnsafeRawPointer(bitPattern: word) else { return }
    Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }
}
