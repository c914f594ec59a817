import Testing
import VarveReactive
import VarveTestRig

/// What holds for every operator, whatever it does: see `OperatorTable`.
@Suite struct Laws {
  @Test("E1: values, then at most one end, however the input ends", arguments: OperatorTable.all)
  func grammar(_ subject: OperatorUnderTest) {
    for (trial, ending) in subject.trials() {
      for index in 0..<subject.inputCount { trial.send(index) }
      trial.end(ending)
      #expect(trial.transcripts[0].isGrammatical, "\(trial.events)")
      if subject.ends(with: ending) {
        #expect(trial.transcripts[0].hasEnded, "\(trial.events)")
      }
    }
  }

  @Test("E2: nothing follows the end, whatever is sent", arguments: OperatorTable.all)
  func nothingAfterTheEnd(_ subject: OperatorUnderTest) {
    for (trial, ending) in subject.trials() {
      for index in 0..<subject.inputCount { trial.send(index) }
      trial.end(ending)
      guard trial.transcripts[0].hasEnded else { continue }
      let events = trial.events
      for index in 0..<subject.inputCount { trial.send(index) }
      for ending in subject.endings { trial.end(ending) }
      trial.dispose()
      #expect(trial.events == events)
    }
  }

  @Test(
    "E3: a failure is forwarded at once, after however many values", arguments: OperatorTable.all)
  func failure(_ subject: OperatorUnderTest) {
    guard subject.canFail, !subject.traits.contains(.handlesFailure) else { return }
    forward(.failed, through: subject)
  }

  @Test(
    "E4: completion ends it successfully, after however many values", arguments: OperatorTable.all)
  func completion(_ subject: OperatorUnderTest) {
    guard !subject.traits.contains(.outlivesCompletion) else { return }
    forward(.completed, through: subject)
  }

  @Test("E5: an interruption is forwarded at once", arguments: OperatorTable.all)
  func interruption(_ subject: OperatorUnderTest) {
    guard !subject.traits.contains(.outlivesInterruption) else { return }
    forward(.interrupted, through: subject)
  }

  private func forward(_ ending: Ending, through subject: OperatorUnderTest) {
    for count in 0...subject.inputCount {
      for trial in subject.all(1) {
        for index in 0..<count { trial.send(index) }
        guard !trial.transcripts[0].hasEnded else { continue }
        let before = trial.events
        trial.end(ending)
        #expect(trial.events.last == ending.event, "after \(before)")
      }
    }
  }

  @Test("E8: events come inside the call that sends, on its thread", arguments: OperatorTable.all)
  func synchronous(_ subject: OperatorUnderTest) {
    guard !subject.traits.contains(.needsNoInput) else { return }
    for (trial, ending) in subject.trials() {
      for index in 0..<subject.inputCount { trial.send(index) }
      trial.end(ending)
      #expect(trial.transcripts[0].strays == [])
    }
  }

  @Test("P3: on a producer it does the same as on a signal", arguments: OperatorTable.all)
  func hotAndCold(_ subject: OperatorUnderTest) {
    guard !subject.traits.contains(.needsNoInput) else { return }
    for ending in subject.endings {
      let seen = subject.all(1).map { trial in
        for index in 0..<subject.inputCount { trial.send(index) }
        trial.end(ending)
        return trial.events
      }
      #expect(seen.first == seen.last)
    }
  }

  @Test(
    "P2: two starts share no state; S3: two observers see the same", arguments: OperatorTable.all)
  func twice(_ subject: OperatorUnderTest) {
    for ending in subject.endings {
      for (once, twice) in zip(subject.all(1), subject.all(2)) {
        for trial in [once, twice] {
          for index in 0..<subject.inputCount { trial.send(index) }
          trial.end(ending)
        }
        #expect(twice.transcripts[0].events == once.events)
        #expect(twice.transcripts[1].events == once.events)
      }
    }
  }

  @Test(
    "P4: disposing of a start interrupts it once, and nothing follows", arguments: OperatorTable.all
  )
  func disposal(_ subject: OperatorUnderTest) {
    for count in 0...subject.inputCount {
      guard let trial = subject.cold?(1) else { return }
      for index in 0..<count { trial.send(index) }
      guard !trial.transcripts[0].hasEnded else { continue }
      let before = trial.events
      trial.dispose()
      #expect(trial.events == before + subject.interruption)
      for index in 0..<subject.inputCount { trial.send(index) }
      trial.end(.completed)
      #expect(trial.events == before + subject.interruption)
    }
  }

  @Test("S7: disposing of an observation is silent", arguments: OperatorTable.all)
  func detachment(_ subject: OperatorUnderTest) {
    for count in 0...subject.inputCount {
      guard let trial = subject.hot?(1) else { return }
      for index in 0..<count { trial.send(index) }
      let before = trial.events
      trial.dispose()
      for index in 0..<subject.inputCount { trial.send(index) }
      trial.end(.completed)
      #expect(trial.events == before)
    }
  }

  @Test("P6: whatever ends the result lets go of the source", arguments: OperatorTable.all)
  func upstream(_ subject: OperatorUnderTest) {
    for count in 0...subject.inputCount {
      for trial in subject.all(1) {
        for index in 0..<count { trial.send(index) }
        if !trial.transcripts[0].hasEnded {
          #expect(trial.sources().ended == 0)
          trial.dispose()
          trial.release()
        }
        #expect(trial.sources().ended == trial.sources().started)
      }
    }
  }

  @Test(
    "P10: after the end nothing of the run is held, though its disposable is",
    arguments: OperatorTable.all)
  func release(_ subject: OperatorUnderTest) {
    for (trial, ending) in subject.trials() {
      for index in 0..<subject.inputCount { trial.send(index) }
      if !trial.transcripts[0].hasEnded { trial.end(ending) }
      guard trial.transcripts[0].hasEnded else { continue }
      let held = trial.leashes.filter { $0.isHeld }
      #expect(held.isEmpty)
    }
  }

  @Test(
    "E7: the source may be ended inside a delivery, which takes effect after it",
    arguments: OperatorTable.all)
  func endingInside(_ subject: OperatorUnderTest) {
    guard !subject.traits.contains(.timed) else { return }
    for (trial, ending) in subject.trials() {
      trial.transcripts[0].onNextValue { [trial = Unguarded(trial)] in
        trial.value.endInside(ending)
      }
      for index in 0..<subject.inputCount { trial.send(index) }
      if !trial.transcripts[0].hasEnded { trial.end(.interrupted) }
      #expect(trial.transcripts[0].isGrammatical, "\(trial.events)")
      if subject.ends(with: ending) {
        #expect(trial.transcripts[0].hasEnded)
      }
    }
  }

  @Test("P4: a start may be disposed of inside a delivery", arguments: OperatorTable.all)
  func disposingInside(_ subject: OperatorUnderTest) {
    guard let trial = subject.cold?(1) else { return }
    trial.transcripts[0].onNextValue { [trial = Unguarded(trial)] in trial.value.disposeInside() }
    let before = trial.events.count
    for index in 0..<subject.inputCount { trial.send(index) }
    trial.end(.completed)
    let events = trial.events.dropFirst(before)
    guard events.contains(where: { $0.hasPrefix("VALUE") }) else { return }
    #expect(Array(events.dropFirst()) == subject.interruption)
    #expect(trial.sources().ended == trial.sources().started)
  }

  @Test("H9: applied to a producer it does nothing", arguments: OperatorTable.all)
  func laziness(_ subject: OperatorUnderTest) {
    guard let cold = subject.cold else { return }
    #expect(cold(0).sources().started == 0)
    let expected = subject.traits.contains(.needsNoInput) ? 0 : 2
    #expect(cold(2).sources().started == expected)
  }

  @Test("S8: applied to a signal it observes at once", arguments: OperatorTable.all)
  func eagerness(_ subject: OperatorUnderTest) {
    guard let trial = subject.hot?(0) else { return }
    #expect(trial.sources().ended == (subject.traits.contains(.needsNoInput) ? 1 : 0))
    trial.release()
    #expect(trial.sources().ended == 1)
  }

  @Test("N2: it extends the name by itself", arguments: OperatorTable.all)
  func name(_ subject: OperatorUnderTest) {
    for trial in subject.all(0) { #expect(trial.name == subject.name) }
  }

  @Test("N5: it extends ReactiveCocoa 2's form of the name", arguments: OperatorTable.all)
  func bracketName(_ subject: OperatorUnderTest) {
    for trial in subject.all(0) { #expect(trial.bracketName == subject.bracketName) }
  }

  @Test("T9: recorded or not, it delivers the same")
  func recorded() async {
    func observe() -> [[String]] {
      OperatorTable.all.flatMap { subject in
        subject.trials().map { trial, ending in
          for index in 0..<subject.inputCount { trial.send(index) }
          trial.end(ending)
          return trial.events
        }
      }
    }
    let unrecorded = observe()
    await ProbeRig.record { _ in
      #expect(observe() == unrecorded)
    }
  }
}

extension OperatorUnderTest {
  /// What an observer sees when its start is disposed of.
  fileprivate var interruption: [String] {
    traits.contains(.showsInterruption) ? ["VALUE INTERRUPTED", "INTERRUPTED"] : ["INTERRUPTED"]
  }

  /// A hot and a cold trial with so many observers or starts, as far as the operator has them.
  fileprivate func all(_ count: Int) -> [Trial] { [hot, cold].compactMap { $0?(count) } }

  /// Such trials for each way in which the input can end.
  fileprivate func trials() -> [(Trial, Ending)] {
    endings.flatMap { ending in all(1).map { ($0, ending) } }
  }
}

/// Lets a closure that runs on the test's own thread capture what is not Sendable.
private struct Unguarded<Value>: @unchecked Sendable {
  // Safety: used by the thread that made it, inside a delivery that this thread began.
  let value: Value

  init(_ value: Value) { self.value = value }
}
