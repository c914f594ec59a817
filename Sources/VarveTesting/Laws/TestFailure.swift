/// The failure that laws send through operators.
public struct TestFailure: Error, Hashable {
  /// Creates one; all are equal.
  public init() {}
}

/// How the input of an operator ends.
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
