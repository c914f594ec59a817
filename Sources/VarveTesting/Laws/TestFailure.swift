/// The failure that laws send through operators.
public struct TestFailure: Error, Hashable {
  /// Creates a failure. All failures are equal.
  public init() {}
}

/// The ways in which the input of an operator can end.
package enum Ending: String, Sendable, CaseIterable {
  case completed, failed, interrupted

  /// The event as a transcript shows it.
  var event: String {
    switch self {
    case .completed: "COMPLETED"
    case .failed: "FAILED TestFailure()"
    case .interrupted: "INTERRUPTED"
    }
  }
}
