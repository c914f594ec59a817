internal import VarveProbe

/// What became of the values of one input of an operator: those that go no further are told here, and
/// why. Of the others a trace has what they led to.
struct InputAccount: @unchecked Sendable {
  // Safety: immutable.
  private let stream: StreamReference
  private let subscription: UInt64

  /// - Parameters:
  ///   - stream: what the operator makes.
  ///   - subscription: the number of the subscription through which the values come.
  init(of stream: StreamReference, from subscription: UInt64) {
    self.stream = stream
    self.subscription = subscription
  }

  /// Whether anybody wants to hear of it.
  @inline(__always)
  static var isKept: Bool { Gate.isOpen && Records.tellAbsorption }

  /// The value at hand goes no further.
  @inline(never)
  func swallow(_ reason: Absorption) {
    Records.absorbed(stream, subscription: subscription, reason)
  }

  /// A value that was put aside goes no further.
  func swallow<Value>(_ held: Held<Value>?, _ reason: Absorption) {
    if let held { swallow(from: held.cause, reason) }
  }

  /// The same for a value of which only where it came from is left.
  func swallow(from cause: UInt64, _ reason: Absorption) {
    Records.absorbed(stream, subscription: subscription, reason, cause: cause)
  }
}
