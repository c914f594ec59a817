internal import VarveProbe

/// An action that is left for the thread inside a serializer to perform.
class DeferredAction: @unchecked Sendable {
  // Safety: `older` belongs to the serializer's stack of deferred actions, which publishes it with
  // the pointer.
  final var older: UInt = 0
  /// The event that was being delivered when the action was left. `session` is the recording that
  /// knows that event.
  private(set) var cause: UInt64 = 0
  private var session: UInt32 = 0
  /// The stack of the code that left the action; 0 if it was not captured.
  private var author: UInt32 = 0

  /// Whether nothing remains to be done or released after the serializer is left.
  var isDoneInside: Bool { false }

  /// Runs inside the serializer.
  func run() {}

  /// Runs after the serializer has been left, where user code may run outside any delivery.
  func afterwards() {}

  /// Notes the cause on whose behalf the action will run.
  @inline(__always)
  final func noteCause() {
    guard Gate.isOpen else { return }
    cause = Records.currentCause
    session = Gate.word >> 8
  }

  /// Notes the stack of the code that leaves the action for another thread or for later.
  final func noteAuthor() { author = Stacks.currentIfRecorded }

  /// Runs `body` on behalf of the code that left the action, which is unrelated to what the
  /// performing thread is delivering.
  @inline(__always)
  final func attributed(_ body: () -> Void) {
    guard Gate.isOpen else { return body() }
    Records.attribute(to: cause, in: session, by: author, body)
  }
}

/// A deferred action given as closures.
final class DeferredClosure: DeferredAction, @unchecked Sendable {
  // Safety: run once, by the thread inside the serializer; the captured state belongs to the
  // serializer.
  private let inside: () -> Void
  private let outside: () -> Void

  init(inside: @escaping () -> Void = {}, afterwards: @escaping () -> Void = {}) {
    self.inside = inside
    self.outside = afterwards
  }

  override func run() { inside() }
  override func afterwards() { outside() }
}
