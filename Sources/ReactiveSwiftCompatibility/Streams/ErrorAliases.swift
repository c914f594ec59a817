// The protocols provide this alias for their conforming types, but within an extension of one of
// these types, `Error` alone would refer to Swift's protocol.

extension Signal {
  /// The predecessor's name for `Failure`.
  public typealias Error = Failure
}

extension SignalProducer {
  /// The predecessor's name for `Failure`.
  public typealias Error = Failure
}

extension Action {
  /// The predecessor's name for `Failure`.
  public typealias Error = Failure
}

extension ActionError {
  /// The predecessor's name for `Failure`.
  public typealias Error = Failure
}

extension Termination {
  /// The predecessor's name for `Failure`.
  public typealias Error = Failure
}

extension Signal.Event {
  /// The predecessor's name for `Failure`.
  public typealias Error = Failure
}

extension Result {
  /// The predecessor's name for `Failure`.
  public typealias Error = Failure
}
