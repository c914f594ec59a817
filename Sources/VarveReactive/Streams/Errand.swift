internal import VarveProbe

/// Something to be done inside a domain by whoever is there.
class Errand: @unchecked Sendable {
  // Safety: `older` belongs to the domain's stack of errands, which publishes it with the pointer.
  final var older: UInt = 0
  /// What was being delivered by whoever left the errand, and the recording that knows it.
  private(set) var cause: UInt64 = 0
  private var session: UInt32 = 0

  /// Whether nothing is left to do, or to release, once the domain is left.
  var isDoneInside: Bool { false }

  /// Done inside the domain.
  func run() {}

  /// Done outside, after the domain was left: where user code may run that is not a delivery.
  func afterwards() {}

  /// Notes on whose behalf it will be done.
  @inline(__always)
  final func noteCause() {
    guard Gate.isOpen else { return }
    cause = Records.currentCause
    session = Gate.word >> 8
  }

  /// Does `body` on behalf of whoever left the errand: what the thread that does it is delivering
  /// has nothing to do with it.
  @inline(__always)
  final func attributed(_ body: () -> Void) {
    if Gate.isOpen { Records.attribute(to: cause, in: session, body) } else { body() }
  }
}

/// An errand given as closures.
final class ClosureErrand: Errand, @unchecked Sendable {
  // Safety: run once, by the one inside the domain; what it captures is the domain's.
  private let inside: () -> Void
  private let outside: () -> Void

  init(inside: @escaping () -> Void = {}, afterwards: @escaping () -> Void = {}) {
    self.inside = inside
    self.outside = afterwards
  }

  override func run() { inside() }
  override func afterwards() { outside() }
}
