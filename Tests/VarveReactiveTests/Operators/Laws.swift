import Testing
import VarveReactive
import VarveTestRig
import VarveTesting

typealias TestFailure = VarveTesting.TestFailure
typealias Token = VarveTesting.Token
typealias WeakProbe = VarveTesting.WeakProbe
typealias Ending = VarveTesting.Ending

/// What holds for every operator, whatever it does: see `OperatorTable`. What each law looks at is
/// in `LawBench`.
@Suite struct Laws {
  private func expect(_ law: OperatorLaw, of subject: OperatorUnderTest) {
    for violation in law.violations(of: subject) { Issue.record(violation) }
  }

  @Test("E1: values, then at most one end, however the input ends", arguments: OperatorTable.all)
  func grammar(_ subject: OperatorUnderTest) { expect(.grammar, of: subject) }

  @Test("E2: nothing follows the end, whatever is sent", arguments: OperatorTable.all)
  func nothingAfterTheEnd(_ subject: OperatorUnderTest) {
    expect(.nothingAfterTheEnd, of: subject)
  }

  @Test(
    "E3: a failure is forwarded at once, after however many values", arguments: OperatorTable.all)
  func failure(_ subject: OperatorUnderTest) { expect(.failure, of: subject) }

  @Test(
    "E4: completion ends it successfully, after however many values", arguments: OperatorTable.all)
  func completion(_ subject: OperatorUnderTest) { expect(.completion, of: subject) }

  @Test("E5: an interruption is forwarded at once", arguments: OperatorTable.all)
  func interruption(_ subject: OperatorUnderTest) { expect(.interruption, of: subject) }

  @Test(
    "E7: the source may be ended inside a delivery, which takes effect after it",
    arguments: OperatorTable.all)
  func endingInside(_ subject: OperatorUnderTest) { expect(.endingInside, of: subject) }

  @Test("E8: events come inside the call that sends, on its thread", arguments: OperatorTable.all)
  func synchrony(_ subject: OperatorUnderTest) { expect(.synchrony, of: subject) }

  @Test("S7: disposing of an observation is silent", arguments: OperatorTable.all)
  func detachment(_ subject: OperatorUnderTest) { expect(.detachment, of: subject) }

  @Test("S8: applied to a signal it observes at once", arguments: OperatorTable.all)
  func eagerness(_ subject: OperatorUnderTest) { expect(.eagerness, of: subject) }

  @Test(
    "P2: two starts share no state; S3: two observers see the same", arguments: OperatorTable.all)
  func separateStarts(_ subject: OperatorUnderTest) { expect(.separateStarts, of: subject) }

  @Test("P3: on a producer it does the same as on a signal", arguments: OperatorTable.all)
  func bothKinds(_ subject: OperatorUnderTest) { expect(.bothKinds, of: subject) }

  @Test(
    "P4: disposing of a start interrupts it once, and nothing follows", arguments: OperatorTable.all
  )
  func disposal(_ subject: OperatorUnderTest) { expect(.disposal, of: subject) }

  @Test("P4: a start may be disposed of inside a delivery", arguments: OperatorTable.all)
  func disposingInside(_ subject: OperatorUnderTest) { expect(.disposingInside, of: subject) }

  @Test("P5, P6: whatever ends the result lets go of the source", arguments: OperatorTable.all)
  func upstream(_ subject: OperatorUnderTest) { expect(.upstream, of: subject) }

  @Test(
    "P10: after the end nothing of the run is held, though its disposable is",
    arguments: OperatorTable.all)
  func release(_ subject: OperatorUnderTest) { expect(.release, of: subject) }

  @Test("H9: applied to a producer it does nothing", arguments: OperatorTable.all)
  func laziness(_ subject: OperatorUnderTest) { expect(.laziness, of: subject) }

  @Test("N2: it extends the name by itself", arguments: OperatorTable.all)
  func name(_ subject: OperatorUnderTest) { expect(.name, of: subject) }

  @Test("T9: recorded or not, it delivers the same", arguments: OperatorTable.all)
  func recorded(_ subject: OperatorUnderTest) async {
    let unrecorded = subject.everythingSeen()
    await ProbeRig.record { _ in
      #expect(subject.everythingSeen() == unrecorded)
    }
  }
}
