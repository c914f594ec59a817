internal import VarveProbe

/// Something to be done inside a serializer by whoever is there.
class DeferredAction: @unchecked Sendable {
  // Safety: `older` belongs to the serializer's stack of deferred actions, which publishes it with
  // the pointer.
  final var older: UInt = 0
  /// What was being delivered by whoever left the deferred action, and the recording that knows it.
  private(set) var cause: UInt64 = 0
  private var session: UInt32 = 0

  /// Whether nothing is left to do, or to release, once the serializer is left.
  var isDoneInside: Bool { false }

  /// Done inside the serializer.
  func run() {}

  /// Done outside, after the serializer was left: where user code may run that is not a delivery.
  func afterwards() {}

  /// Notes on whose behalf it will be done.
  @inline(__always)
  final func noteCause() {
    guard Gate.isOpen else { return }
    cause = Records.currentCause
    session = Gate.word >> 8
  }

  /// Does `body` on behalf of whoever left the deferred action: what the thread that does it is
  /// delivering has nothing to do with it.
  @inline(__always)
  final func attributed(_ body: () -> Void) {
    if Gate.isOpen { Records.attribute(to: cause, in: session, body) } else { body() }
  }
}

/// A deferred action given as closures.
final class DeferredClosure: DeferredAction, @unchecked Sendable {
  // Safety: run once, by the one inside the serializer; what it captures is the serializer's.
  private let inside: () -> Void
  private let outside: () -> Void

  init(inside: @escaping () -> Void = {}, afterwards: @escaping () -> Void = {}) {
    self.inside = inside
    self.outside = afterwards
  }

  override func run() { inside() }
  override func afterwards() { outside() }
}
