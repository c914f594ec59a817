import ReactiveCocoa2Compatibility
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig
import VarveTesting

/// What holds for operators that users write.
@Suite struct OwnOperatorTests {
  static let all = [
    OperatorUnderTest(
      "everyOther()", inputs: [1, 2, 3],
      hot: { $0.everyOther() }, cold: { $0.everyOther() }),
    OperatorUnderTest(
      "chunks(of: 2)", inputs: [1, 2, 3],
      hot: { $0.chunks(of: 2) }, cold: { $0.chunks(of: 2) }),
    OperatorUnderTest(
      "steps(above: 1)", inputs: [1, 2, 2, 3],
      hot: { $0.steps(above: 1) }, cold: { $0.steps(above: 1) }),
  ]

  @Test("O1, O2: operators made of what is public keep the laws, in one line each", arguments: all)
  func laws(_ subject: OperatorUnderTest) throws {
    try expectLaws(of: subject)
  }

  @Test("O2: an operator that breaks a law is told which one, and how")
  func broken() {
    let forgetful = OperatorUnderTest(
      "forgetful", inputs: [1, 2],
      hotOnly: { (source: Signal<Int, TestFailure>) in
        // Made without the library's help: it has no parent, and ends as cancelled.
        Signal<Int, TestFailure> { output, lifetime in
          lifetime += source.observe(Signal.Observer(value: { output.send(value: $0) }))
        }
      })
    let broken = Set(#expect(throws: BrokenLaws.self) { try expectLaws(of: forgetful) }.laws)
    #expect(broken == [.failure, .completion, .name])
    #expect(throws: Never.self) { try expectLaws(of: forgetful, except: broken) }
  }

  @Test("O2: state that two starts share is found")
  func sharedState() {
    let count = Box(0)
    let counting = OperatorUnderTest(
      "map(_:)", inputs: [1, 2],
      coldOnly: {
        $0.map {
          $0
            + count.change {
              $0 += 1; return $0
            }
        }
      })
    let broken = OperatorLaw.separateStarts.violations(of: counting)
    #expect(!broken.isEmpty)
  }

  @Test("O1: what it sends from several threads comes serially, and nothing after the end")
  func serial() {
    let outputs = Box<Signal<Int, Never>.Observer?>(nil)
    let (source, input) = Signal<Int, Never>.pipe()
    let inside = Box((now: 0, most: 0, ended: false, late: 0))
    source.applying(
      StreamOperator<Int, Never, Int, Never>("threads") { output, _ in
        outputs.set(output)
        return { _ in }
      }
    ).observe { event in
      inside.change {
        $0.now += 1
        $0.most = max($0.most, $0.now)
        if $0.ended { $0.late += 1 }
        if event.isTerminating { $0.ended = true }
      }
      relax()
      inside.change { $0.now -= 1 }
    }
    onThreads(4) { index in
      for number in 0..<500 {
        outputs.value?.send(value: number)
        if index == 0, number == 400 { outputs.value?.sendCompleted() }
      }
    }
    #expect(inside.value.most == 1)
    #expect(inside.value.ended)
    #expect(inside.value.late == 0)
    withExtendedLifetime(input) {}
  }

  @Test("O1: a start on a scheduler of its own keeps the grammar and stops with its run")
  func scheduled() {
    let scheduler = TestScheduler()
    let seen = Box<[Event<Int, TestFailure>]>([])
    let source = SignalProducer<Int, TestFailure>([1, 2, 3])
    let run = source.applying(.scattered(on: scheduler)).start { seen.append($0) }
    #expect(seen.value == [])
    scheduler.advance()
    #expect(seen.value == [.value(1), .value(2), .value(3), .completed])
    #expect(run.isDisposed)
    source.applying(.scattered(on: scheduler)).start { seen.append($0) }.dispose()
    scheduler.advance()
    #expect(seen.value.dropFirst(4) == [.interrupted])
  }

  @Test("O1: it is interrupted when it lets go of its output")
  func forgotten() {
    let (source, input) = Signal<Int, Never>.pipe()
    let seen = Box<[Event<Int, Never>]>([])
    source.applying(
      StreamOperator<Int, Never, Int, Never>("silent") { output, _ in
        { _ in withExtendedLifetime(output) {} }
      }
    ).observe { seen.append($0) }
    input.send(value: 1)
    #expect(seen.value == [])
    input.sendCompleted()
    #expect(seen.value == [.interrupted])
  }

  @Test("O1: it can be lifted")
  func lifted() {
    let seen = Box<[Int]>([])
    let numbers = SignalProducer<Int, Never>([1, 2, 3, 4])
    let lifted = numbers.lift { $0.everyOther().chunks(of: 2) }
    for _ in 0..<2 { lifted.startWithValues { seen.append($0.reduce(0, +)) } }
    #expect(seen.value == [4, 4])
  }

  @Test("O1: it is named like the operators of the library, and a composite shows its own name")
  func named() {
    let (source, _) = Signal<Int, Never>.pipe(named: "numbers")
    #expect("\(source.everyOther().map { $0 })" == "numbers.everyOther().map(_:)")
    #expect("\(source.chunks(of: 3))" == "numbers.chunks(of: 3)")
    let picking = StreamOperator<Int, Never, Int, Never>(
      "picking(every:upTo:by:)", .count(2), .count(9)
    ) { output, _ in { output.send($0) } }
    #expect("\(source.applying(picking))" == "numbers.picking(every: 2, upTo: 9, by:)")
    BracketNames.add(["steps(above: $)": "-stepsAbove: $"])
    #expect(source.steps(above: 2).bracketDescription == "[numbers] -stepsAbove: 2")
    #expect(
      "\(source.producer.steps(above: 2).skipRepeats())".hasSuffix(
        ".steps(above: 2).skipRepeats()"))
    let scattered = StreamOperator<Int, Never, Int, Never>.scattered(on: TestScheduler())
    #expect("\(source.applying(scattered))" == "numbers.scattered(on: TestScheduler)")
  }

  @Test("O1: a trace has its values, what caused them, and why others were swallowed")
  func traced() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "traced by its own operator")
    let pairs = source.chunks(of: 2)
    // A signal of its own: who swallowed a value is told only where one observes.
    let (other, otherInput) = Signal<Int, Never>.pipe(named: "traced by a composite")
    let steps = other.steps(above: 1)
    let observations = [pairs.observe { _ in }, steps.observe { _ in }]
    let rig = await ProbeRig.record { _ in
      for number in [1, 2, 3, 4] {
        input.send(value: number)
        otherInput.send(value: number)
      }
    }
    let sourceID = try #require(rig.stream(named: source.description)).id
    let stream = try #require(rig.stream(named: pairs.description))
    #expect(stream.operation == "chunks(of:)")
    #expect(stream.parents == [sourceID])
    func numbers(_ references: [UInt64]) -> Set<UInt64> {
      Set(references.compactMap { rig.record($0) }.filter { $0.stream == sourceID }.map(\.word))
    }
    let values = rig.records(.value, of: stream.id)
    #expect(values.map { numbers($0.causes) } == [[1, 2], [3, 4]])
    #expect(rig.records(.absorbed, of: stream.id).isEmpty)
    #expect(stream.traits?.contains(.holds) == true)
    let composite = try #require(rig.stream(named: steps.description))
    #expect(composite.parents.first == rig.stream(named: other.description)?.id)
    #expect(rig.records(.value, of: composite.id).map(\.word) == [2, 3, 4])
    for observation in observations { observation?.dispose() }
  }
}

extension OwnOperatorTests {
  @Test("T10: what it swallows is told, whether it says so itself or leaves that to its reason")
  func swallowed() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "swallowed by its own operators")
    let (aside, asideInput) = Signal<Int, Never>.pipe(named: "sent to on the way")
    aside.observeValues { _ in }
    let others = source.everyOther()
    let latest = source.applying(
      StreamOperator<Int, Never, Int, Never>("latest()", traits: .holds) { output, _ in
        var held: Held<Int>?
        return { event in
          guard case .value(let value) = event else { return output.send(event) }
          // What is sent elsewhere is no answer.
          asideInput.send(value: value)
          if value < 0 { return output.swallow(.filtered) }
          if let old = held { output.swallow(old, .superseded) }
          held = Held(value)
        }
      })
    let observations = [others.observe { _ in }, latest.observe { _ in }]
    let rig = await ProbeRig.record { _ in
      for number in [1, 2, -3] { input.send(value: number) }
    }
    func told(_ signal: Signal<Int, Never>) throws -> [String] {
      let stream = try #require(rig.stream(named: signal.description))
      #expect(stream.traits?.contains(.hot) == true)
      return rig.records(.absorbed, of: stream.id).map { record in
        let reason = AbsorptionReason(rawValue: UInt8(truncatingIfNeeded: record.word))
        let value = rig.record(record.causes.last).map { Int64(bitPattern: $0.word) }
        return "\(reason.map { "\($0)" } ?? "?") \(value ?? 0)"
      }
    }
    #expect(try told(others) == ["pastLimit 2"])
    #expect(try told(latest) == ["superseded 1", "filtered -3"])
    for observation in observations { observation?.dispose() }
  }
}

extension Optional where Wrapped == BrokenLaws {
  fileprivate var laws: [OperatorLaw] { self?.violations.map(\.law) ?? [] }
}
