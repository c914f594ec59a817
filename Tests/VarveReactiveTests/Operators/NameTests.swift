import ReactiveCocoa2Compatibility
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

@Suite struct NameTests {
  private let username = Signal<String, Never>.pipe(named: "username").output

  @Test("N1: every stream has a name, and its description shows it")
  func everyStream() {
    let (pipe, _) = Signal<Int, Never>.pipe()
    #expect("\(pipe)".hasPrefix("pipe@NameTests.swift:"))
    #expect("\(SignalProducer<Int, Never> { _, _ in })".hasPrefix("producer@NameTests.swift:"))
    #expect("\(Signal<Int, Never> { _, _ in })".hasPrefix("signal@NameTests.swift:"))
    for name in [
      "\(SignalProducer<Int, Never>(value: 1))", "\(SignalProducer<Int, Never>([1, 2]))",
      "\(SignalProducer<Int, Never>.never)", "\(Signal<Int, Never>.empty)",
    ] {
      #expect(!name.isEmpty)
    }
  }

  @Test("N2: a chain's name tells its operators, with counts and without values")
  func chain() {
    let chain = username.skipRepeats().take(first: 3).filter { !$0.isEmpty }.ignore("secret")
    #expect(
      chain.description == "username.skipRepeats().take(first: 3).filter(_:).ignore(_:)")
  }

  @Test("N5: ReactiveCocoa 2's form, character for character")
  func brackets() {
    let chain = username.skipRepeats().take(first: 3).filter { !$0.isEmpty }
    #expect(chain.bracketDescription == "[[[username] -distinctUntilChanged] -take: 3] -filter:")
    #expect(
      SignalProducer(username).reduce("", +).bracketDescription
        == "[username] -aggregateWithStart: (description skipped) reduce:")
  }

  @Test("N3: named replaces the derived name from there on")
  func named() {
    let named = username.map(\.count).named("length")
    #expect(named.description == "length")
    #expect(named.skipRepeats().description == "length.skipRepeats()")
    #expect(named.skipRepeats().bracketDescription == "[length] -distinctUntilChanged")
    let renamed = SignalProducer<Int, Never>(value: 1).named("one").named("uno")
    #expect(renamed.description == "uno")
  }

  @Test("N3: the derivation is kept, and a trace shows it with the place")
  func derivation() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "source")
    let line = UInt32(#line + 1)
    let named = source.map { $0 + 1 }.named("successor")
    named.observeValues { _ in }
    let rig = await ProbeRig.record { _ in input.send(value: 1) }
    let definition = try #require(rig.stream(named: "successor"))
    #expect(definition.derivation == "source.map(_:)")
    #expect(definition.isNamed)
    #expect(definition.operation == "named(_:)")
    #expect(definition.place?.description == "NameTests.swift:\(line)")
  }

  @Test(
    "N4: a name is rendered when it is read, however long the chain, and never longer than that")
  func longChain() {
    var chain = username
    for _ in 0..<2_000 { chain = chain.filter { _ in true } }
    #expect(chain.description.count <= 512)
    #expect(chain.description.hasSuffix(".filter(_:)"))
  }

  @Test("N2: logging leaves the name as it is")
  func logging() {
    let logged = username.logEvents(to: .events { _ in }).logAll(to: .trace)
    #expect(logged.description == "username")
    #expect(logged.skipRepeats().description == "username.skipRepeats()")
    #expect(logged.skipRepeats().bracketDescription == "[username] -distinctUntilChanged")
  }
}
