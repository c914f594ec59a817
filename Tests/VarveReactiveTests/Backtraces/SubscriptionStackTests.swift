import CVarveSystem
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// What a trace is told of who observes.
@Suite("Who observes, in a trace", .serialized)
struct SubscriptionStackTests {
  private func origins(of name: String, in rig: ProbeRig) throws -> [SubscriptionPayload] {
    let stream = try #require(rig.stream(named: name)).id
    return rig.records.filter { $0.kind == .subscribed && $0.stream == stream }
      .map { SubscriptionPayload(word: $0.word) }
  }

  @Test("T3: an observation names the stack of the code that observes, and whom it feeds")
  func stacks() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "observed twice")
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      signal.observeValues { _ in }
      signal.map { $0 + 1 }.observeValues { _ in }
      input.send(value: 1)
    }
    let found = try origins(of: "observed twice", in: rig)
    #expect(found.count == 2)
    #expect(Set(found.map(\.stack)).count == 2)
    #expect(Set(rig.stacks).isSuperset(of: found.map(\.stack)))
    #expect(found.allSatisfy { vv_stack_find($0.stack) != nil })
    #expect(found.map(\.stream).sorted().first == 0)
    #expect(
      found.map(\.stream).contains(try #require(rig.stream(named: "observed twice.map(_:)")).id))
  }

  @Test("T3: a start of a shared run that has not begun, and may never, is in the trace")
  func waiting() async throws {
    let connection = SignalProducer<Int, Never>(value: 1).publish()
    let (source, input) = Signal<Int, Never>.pipe()
    let lazy = SignalProducer(source).replayLazily(upTo: 1)
    let rig = await ProbeRig.record(wish: [.allStreams]) { _ in
      connection.producer.named("never connected").startWithValues { _ in }
      lazy.named("nothing yet").startWithValues { _ in }
    }
    #expect(try origins(of: "never connected", in: rig).count == 1)
    #expect(try origins(of: "nothing yet", in: rig).count == 1)
    input.sendCompleted()
  }

  @Test(
    "T3: of an observation that began before the recording, or without stacks, no stack is told")
  func without() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "observed early")
    // Not while another test records: an observation keeps the stack that it was told with.
    _ = await GateTurn.take { signal.observeValues { _ in } }
    let late = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in input.send(value: 1) }
    #expect(try origins(of: "observed early", in: late).map(\.stack) == [0])
    let plain = await ProbeRig.record(wish: [.allStreams]) { _ in
      signal.observeValues { _ in }
      input.send(value: 2)
    }
    #expect(try origins(of: "observed early", in: plain).map(\.stack) == [0, 0])
  }

  @Test("T3: a binding is an edge to the property, the action or the input that it feeds")
  func bindings() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "binding source")
    let (output, target) = Signal<Int, Never>.pipe(named: "bound input")
    let property = MutableProperty(0, named: "bound property")
    let optional = MutableProperty<Int?>(nil, named: "bound optional")
    let validating = ValidatingProperty<Int, Never>(MutableProperty(0, named: "bound inner")) { _ in
      .valid
    }
    let action = Action<Int, Int, Never>(named: "bound action") { SignalProducer(value: $0) }
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      property <~ signal
      optional <~ signal.producer
      validating <~ signal
      action <~ signal
      target <~ signal.map { $0 + 1 }
      output.observeValues { _ in }
      input.send(value: 1)
    }
    let found = try origins(of: "binding source", in: rig)
    let fed = Set(found.map(\.stream))
    for name in ["bound property", "bound optional", "bound inner", "bound action"] {
      let stream = try #require(rig.stream(named: name) ?? Probe.stream(named: name))
      #expect(fed.contains(stream.id), "\(name)")
    }
    #expect(Set(found.map(\.stack)).count == found.count && found.allSatisfy { $0.stack != 0 })
    let mapped = try origins(of: "binding source.map(_:)", in: rig)
    #expect(mapped.map(\.stream) == [try #require(rig.stream(named: "bound input")).id])
    // The value that arrives has the value that was sent as its cause.
    let source = try #require(rig.stream(named: "binding source")).id
    let sent = try #require(rig.records(.value, of: source).first)
    for name in ["bound property", "bound optional", "bound inner"] {
      let stream = try #require(rig.stream(named: name)).id
      #expect(rig.records(.value, of: stream).map(\.causes) == [[sent.reference]], "\(name)")
    }
  }
}

extension Probe {
  /// The live stream with this name.
  fileprivate static func stream(named name: String) -> StreamDefinition? {
    liveStreams().first { $0.name == name }
  }
}
