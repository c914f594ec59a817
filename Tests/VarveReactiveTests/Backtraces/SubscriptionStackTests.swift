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

  @Test(
    "T3: of an observation that began before the recording, or without stacks, no stack is told")
  func without() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "observed early")
    signal.observeValues { _ in }
    let late = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in input.send(value: 1) }
    #expect(try origins(of: "observed early", in: late).map(\.stack) == [0])
    let plain = await ProbeRig.record(wish: [.allStreams]) { _ in
      signal.observeValues { _ in }
      input.send(value: 2)
    }
    #expect(try origins(of: "observed early", in: plain).map(\.stack) == [0, 0])
  }
}
