internal import VarveProbe

/// The account of what became of an operator's input values: which go no further, and why. For the
/// others, a trace has what they led to.
struct InputAccount: @unchecked Sendable {
  // Safety: immutable.
  private let stream: StreamReference
  private let subscription: UInt64

  /// - Parameters:
  ///   - stream: the stream that the operator makes.
  ///   - subscription: the number of the subscription through which the values come.
  init(of stream: StreamReference, from subscription: UInt64) {
    self.stream = stream
    self.subscription = subscription
  }

  /// Whether a recorder wants the account.
  @inline(__always)
  static var isKept: Bool { Gate.isOpen && Records.tellAbsorption }

  /// Records that the current value goes no further.
  @inline(never)
  func swallow(_ reason: Absorption) {
    Records.absorbed(stream, subscription: subscription, reason)
  }

  /// Records that a value that was put aside goes no further.
  func swallow<Value>(_ held: Held<Value>?, _ reason: Absorption) {
    if let held { swallow(from: held.cause, reason) }
  }

  /// Records that a value of which only the cause is left goes no further.
  func swallow(from cause: UInt64, _ reason: Absorption) {
    Records.absorbed(stream, subscription: subscription, reason, cause: cause)
  }
}
