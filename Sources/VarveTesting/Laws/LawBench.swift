/// Checks one operator against one law and collects the violations.
struct LawBench {
  let law: OperatorLaw
  let subject: OperatorUnderTest
  private(set) var violations: [LawViolation] = []

  init(law: OperatorLaw, subject: OperatorUnderTest) {
    self.law = law
    self.subject = subject
  }

  mutating func examine() {
    switch law {
    case .grammar: grammar()
    case .nothingAfterTheEnd: nothingAfterTheEnd()
    case .failure: failure()
    case .completion: completion()
    case .interruption: interruption()
    case .endingInside: endingInside()
    case .synchrony: synchrony()
    case .detachment: detachment()
    case .eagerness: eagerness()
    case .separateStarts: separateStarts()
    case .bothKinds: bothKinds()
    case .disposal: disposal()
    case .disposingInside: disposingInside()
    case .upstream: upstream()
    case .release: release()
    case .laziness: laziness()
    case .name: name()
    }
  }

  mutating func expect(_ holds: Bool, _ detail: @autoclosure () -> String) {
    guard !holds else { return }
    violations.append(LawViolation(law: law, subject: subject.name, detail: detail()))
  }

  mutating func expectEqual<Seen: Equatable>(
    _ seen: Seen, _ expected: Seen, _ when: @autoclosure () -> String
  ) {
    expect(seen == expected, "\(when()): \(seen) where \(expected) was expected")
  }

  /// Sends the first `count` inputs, or all of them.
  func feed(_ trial: Trial, _ count: Int? = nil) {
    for index in 0..<(count ?? subject.inputCount) { trial.send(index) }
  }
}

// MARK: - Laws of events

extension LawBench {
  private mutating func grammar() {
    for (trial, ending) in subject.trials() {
      feed(trial)
      trial.end(ending)
      expect(trial.transcripts[0].isGrammatical, "\(trial.events)")
      if subject.ends(with: ending) {
        expect(trial.transcripts[0].hasEnded, "input \(ending), but it goes on: \(trial.events)")
      }
    }
  }

  private mutating func nothingAfterTheEnd() {
    for (trial, ending) in subject.trials() {
      feed(trial)
      trial.end(ending)
      guard trial.transcripts[0].hasEnded else { continue }
      let events = trial.events
      feed(trial)
      for ending in subject.endings { trial.end(ending) }
      trial.dispose()
      expectEqual(trial.events, events, "after the end")
    }
  }

  private mutating func failure() {
    guard subject.canFail, !subject.traits.contains(.handlesFailure) else { return }
    expectForwarding(of: .failed)
  }

  private mutating func completion() {
    guard !subject.traits.contains(.outlivesCompletion) else { return }
    expectForwarding(of: .completed)
  }

  private mutating func interruption() {
    guard !subject.traits.contains(.outlivesInterruption) else { return }
    expectForwarding(of: .interrupted)
  }

  private mutating func expectForwarding(of ending: Ending) {
    for count in 0...subject.inputCount {
      for trial in subject.all(1) {
        feed(trial, count)
        guard !trial.transcripts[0].hasEnded else { continue }
        let before = trial.events
        trial.end(ending)
        expectEqual(trial.events.last, ending.event, "after \(before)")
      }
    }
  }

  private mutating func endingInside() {
    guard !subject.traits.contains(.timed) else { return }
    for (trial, ending) in subject.trials() {
      trial.transcripts[0].onNextValue { [trial = Unguarded(trial)] in
        trial.value.endInside(ending)
      }
      feed(trial)
      if !trial.transcripts[0].hasEnded { trial.end(.interrupted) }
      expect(trial.transcripts[0].isGrammatical, "\(trial.events)")
      if subject.ends(with: ending) {
        expect(trial.transcripts[0].hasEnded, "input \(ending), but it goes on: \(trial.events)")
      }
    }
  }

  private mutating func synchrony() {
    guard !subject.traits.contains(.needsNoInput) else { return }
    for (trial, ending) in subject.trials() {
      feed(trial)
      trial.end(ending)
      expectEqual(trial.transcripts[0].strays, [], "when nothing was sent")
    }
  }
}

// MARK: - Laws of observations and starts

extension LawBench {
  private mutating func detachment() {
    for count in 0...subject.inputCount {
      guard let trial = subject.hot?(1) else { return }
      feed(trial, count)
      let before = trial.events
      trial.dispose()
      expect(!trial.probes.contains(where: \.isHeld), "the observer is still held")
      feed(trial)
      trial.end(.completed)
      expectEqual(trial.events, before, "after detaching")
    }
  }

  private mutating func eagerness() {
    guard let trial = subject.hot?(0) else { return }
    let expected = subject.traits.contains(.needsNoInput) ? 1 : 0
    expectEqual(trial.sources().ended, expected, "sources let go while the result is held")
    trial.release()
    expectEqual(trial.sources().ended, 1, "sources let go after the result")
  }

  private mutating func separateStarts() {
    guard !subject.traits.contains(.sharesRun) else { return }
    for ending in subject.endings {
      for (once, twice) in zip(subject.all(1), subject.all(2)) {
        for trial in [once, twice] {
          feed(trial)
          trial.end(ending)
        }
        expectEqual(twice.transcripts[0].events, once.events, "the first of two")
        expectEqual(twice.transcripts[1].events, once.events, "the second of two")
      }
    }
  }

  private mutating func bothKinds() {
    guard !subject.traits.contains(.needsNoInput) else { return }
    for ending in subject.endings {
      let seen = subject.all(1).map { trial in
        feed(trial)
        trial.end(ending)
        return trial.events
      }
      expectEqual(seen.last, seen.first, "input \(ending), on a producer")
    }
  }

  private mutating func disposal() {
    for count in 0...subject.inputCount {
      guard let trial = subject.cold?(1) else { return }
      feed(trial, count)
      guard !trial.transcripts[0].hasEnded else { continue }
      let expected = trial.events + subject.interruption
      trial.dispose()
      expectEqual(trial.events, expected, "when disposed of")
      feed(trial)
      trial.end(.completed)
      expectEqual(trial.events, expected, "after having been disposed of")
    }
  }

  private mutating func disposingInside() {
    guard let trial = subject.cold?(1) else { return }
    trial.transcripts[0].onNextValue { [trial = Unguarded(trial)] in trial.value.disposeInside() }
    let before = trial.events.count
    feed(trial)
    trial.end(.completed)
    let events = trial.events.dropFirst(before)
    guard events.contains(where: { $0.hasPrefix("VALUE") }) else { return }
    expectEqual(Array(events.dropFirst()), subject.interruption, "after the value")
    expectEqual(trial.sources().ended, trial.sources().started, "sources let go")
  }
}

// MARK: - Laws of lifetimes, work and names

extension LawBench {
  private mutating func upstream() {
    for count in 0...subject.inputCount {
      for trial in subject.all(1) {
        feed(trial, count)
        if !trial.transcripts[0].hasEnded {
          expectEqual(trial.sources().ended, 0, "sources let go before the end")
          trial.dispose()
          trial.release()
        }
        expectEqual(trial.sources().ended, trial.sources().started, "sources let go")
      }
    }
  }

  private mutating func release() {
    for (trial, ending) in subject.trials() {
      feed(trial)
      if !trial.transcripts[0].hasEnded { trial.end(ending) }
      guard trial.transcripts[0].hasEnded else { continue }
      expect(!trial.probes.contains(where: \.isHeld), "something is held, input \(ending)")
    }
    for count in 0...subject.inputCount {
      guard let trial = subject.cold?(1) else { return }
      feed(trial, count)
      trial.dispose()
      expect(!trial.probes.contains(where: \.isHeld), "something is held, disposed of")
    }
  }

  private mutating func laziness() {
    guard let cold = subject.cold else { return }
    expectEqual(cold(0).sources().started, 0, "sources started by applying it")
    let expected =
      subject.traits.contains(.needsNoInput) ? 0 : subject.traits.contains(.sharesRun) ? 1 : 2
    expectEqual(cold(2).sources().started, expected, "sources started by two starts")
  }

  private mutating func name() {
    for trial in subject.all(0) { expectEqual(trial.name, subject.name, "its name") }
  }
}

/// Lets a closure that runs on the law's thread capture a value that is not Sendable.
private struct Unguarded<Value>: @unchecked Sendable {
  // Safety: used by the thread that created it, inside a delivery that this thread began.
  let value: Value

  init(_ value: Value) { self.value = value }
}
