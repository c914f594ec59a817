/// What holds for every operator, whatever it does.
///
/// `expectLaws(of:)` checks all of them at once; a test that wants one result a law goes over
/// `allCases`.
public enum OperatorLaw: String, Sendable, CaseIterable {
  /// E1: values, then at most one end, however the input ends.
  case grammar
  /// E2: nothing follows the end, whatever is sent.
  case nothingAfterTheEnd
  /// E3: a failure is forwarded at once, after however many values.
  case failure
  /// E4: completion ends it successfully, after however many values.
  case completion
  /// E5: an interruption is forwarded at once.
  case interruption
  /// E7: the source may be ended inside a delivery, which takes effect after it.
  case endingInside
  /// E8: events come inside the call that sends, on its thread.
  case synchrony
  /// S7: disposing of an observation is silent, and lets go of the observer.
  case detachment
  /// S8: applied to a signal it observes at once.
  case eagerness
  /// P2, S3: two starts share no state, and two observers see the same.
  case separateStarts
  /// P3: on a producer it does the same as on a signal.
  case bothKinds
  /// P4: disposing of a start interrupts it once, and nothing follows.
  case disposal
  /// P4: a start may be disposed of inside a delivery.
  case disposingInside
  /// P6: whatever ends the result lets go of the source.
  case upstream
  /// P10: after the end nothing of a run is held, though its disposable is.
  case release
  /// H9: applied to a producer it does nothing.
  case laziness
  /// N2: it extends the name by itself.
  case name
  /// N5: it extends ReactiveCocoa 2's form of the name.
  case bracketName

  /// Where the operator breaks the law: empty when it keeps it.
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
  /// What was seen.
  public let detail: String

  /// All in one line.
  public var description: String { "\(subject) breaks the law '\(law.rawValue)': \(detail)" }
}

/// What `expectLaws(of:)` throws.
public struct BrokenLaws: Error, Hashable, Sendable, CustomStringConvertible {
  /// All that was found.
  public let violations: [LawViolation]

  /// One violation a line.
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
///   - subject: the operator, and inputs to try it with.
///   - except: laws that the operator does not mean to keep.
/// - Throws: `BrokenLaws`, which says what was seen.
public func expectLaws(
  of subject: OperatorUnderTest, except: Set<OperatorLaw> = []
) throws(BrokenLaws) {
  let laws = OperatorLaw.allCases.filter { !except.contains($0) }
  let violations = laws.flatMap { $0.violations(of: subject) }
  if !violations.isEmpty { throw BrokenLaws(violations: violations) }
}
