/// The laws that hold for every operator, whatever it does.
///
/// `expectLaws(of:)` checks all of them at once; a test that wants one result per law iterates over
/// `allCases`.
public enum OperatorLaw: String, Sendable, CaseIterable {
  /// E1: values, then at most one end, however the input ends.
  case grammar
  /// E2: nothing follows the end, whatever is sent.
  case nothingAfterTheEnd
  /// E3: a failure is forwarded at once, after any number of values.
  case failure
  /// E4: completion ends the stream successfully, after any number of values.
  case completion
  /// E5: an interruption is forwarded at once.
  case interruption
  /// E7: the source may be ended inside a delivery; this takes effect after the delivery.
  case endingInside
  /// E8: events are delivered inside the call that sends, on its thread.
  case synchrony
  /// S7: disposing of an observation is silent and releases the observer.
  case detachment
  /// S8: an operator that is applied to a signal observes it at once.
  case eagerness
  /// P2, S3: two starts share no state, and two observers see the same.
  case separateStarts
  /// P3: an operator has the same effect on a producer as on a signal.
  case bothKinds
  /// P4: disposing of a start interrupts it once, and nothing follows.
  case disposal
  /// P4: a start may be disposed of inside a delivery.
  case disposingInside
  /// P6: the end of the result, of any kind, releases the source.
  case upstream
  /// P10: after the end, nothing of a run is retained, even if its disposable is.
  case release
  /// H9: an operator that is applied to a producer starts nothing.
  case laziness
  /// N2: an operator appends itself to the name.
  case name

  /// Returns the violations of this law by an operator; empty if it keeps the law.
  ///
  /// - Complexity: a few dozen short streams.
  public func violations(of subject: OperatorUnderTest) -> [LawViolation] {
    var bench = LawBench(law: self, subject: subject)
    bench.examine()
    return bench.violations
  }
}

/// One way in which an operator breaks a law.
public struct LawViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The law.
  public let law: OperatorLaw
  /// The operator, as `source.everyOther()`.
  public let subject: String
  /// A description of the observed behavior.
  public let detail: String

  /// The violation in one line.
  public var description: String { "\(subject) breaks the law '\(law.rawValue)': \(detail)" }
}

/// The error that `expectLaws(of:)` throws.
public struct BrokenLaws: Error, Hashable, Sendable, CustomStringConvertible {
  /// All violations.
  public let violations: [LawViolation]

  /// The violations, one per line.
  public var description: String { violations.map(\.description).joined(separator: "\n") }
}

/// Expects an operator to keep all laws.
///
///     try expectLaws(
///       of: OperatorUnderTest(
///         "everyOther()", inputs: [1, 2, 3],
///         hot: { $0.everyOther() }, cold: { $0.everyOther() }))
///
/// - Parameters:
///   - subject: the operator, with inputs for the tests.
///   - except: the laws that the operator does not intend to keep.
/// - Throws: `BrokenLaws` with all violations.
public func expectLaws(
  of subject: OperatorUnderTest, except: Set<OperatorLaw> = []
) throws(BrokenLaws) {
  let laws = OperatorLaw.allCases.filter { !except.contains($0) }
  let violations = laws.flatMap { $0.violations(of: subject) }
  if !violations.isEmpty { throw BrokenLaws(violations: violations) }
}
