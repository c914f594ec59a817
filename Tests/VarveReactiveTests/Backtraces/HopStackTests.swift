import CVarveSystem
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// What a trace is told of where scheduled work came from.
@Suite("Origins of hops in a trace", .serialized)
struct HopStackTests {
  private func hops(of name: String, in rig: ProbeRig) throws -> [RigRecord] {
    rig.hops(of: try #require(rig.scheduler(named: name)).id)
  }

  private func origin(_ record: RigRecord) -> HopPayload? {
    record.payload == .cause ? HopPayload(word: record.word) : nil
  }

  @Test("T3: a hop names the stack that scheduled it and the hop that it was scheduled in")
  func origins() async throws {
    let (first, second) = (QueueScheduler(name: "outer hop"), QueueScheduler(name: "inner hop"))
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      first.schedule { second.schedule {} }
      first.queue.sync {}
      second.queue.sync {}
    }
    let outer = try hops(of: "QueueScheduler(outer hop)", in: rig)
    let inner = try hops(of: "QueueScheduler(inner hop)", in: rig)
    let outerOrigin = try #require(origin(outer[0]))
    let innerOrigin = try #require(origin(inner[0]))
    #expect(outerOrigin.parent == 0)
    #expect(innerOrigin.parent == outer[0].subscription)
    #expect(outerOrigin.stack != innerOrigin.stack)
    // The stacks were told before the records, and they are what the process keeps.
    #expect(Set(rig.stacks).isSuperset(of: [outerOrigin.stack, innerOrigin.stack]))
    #expect(vv_stack_find(innerOrigin.stack) != nil)
    // The record that tells of the beginning need not repeat it.
    #expect(outer.map(\.payload) == [.cause, .absent, .absent])
  }

  @Test("T3: a recording without stacks is told of none")
  func without() async throws {
    let queue = QueueScheduler(name: "no stacks")
    let rig = await ProbeRig.record(wish: [.allStreams]) { _ in
      queue.schedule {}
      queue.queue.sync {}
    }
    #expect(
      try hops(of: "QueueScheduler(no stacks)", in: rig).map(\.payload) == [
        .absent, .absent, .absent,
      ])
  }

  @Test("B6: a recording that began after the scheduling learns where the work came from")
  func late() async throws {
    let queue = QueueScheduler(name: "late")
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { rig in
      let (began, gate) = (Flag(), Flag())
      queue.queue.async {
        began.raise()
        gate.wait()
      }
      began.wait()
      queue.schedule {}
      rig.close()
      let second = ProbeRig.reopened(wish: [.allStreams, .stacks])
      gate.raise()
      queue.queue.sync {}
      second.close()
      let id = second.scheduler(named: "QueueScheduler(late)")?.id ?? 0
      let records = second.hops(of: id)
      #expect(records.map(\.kind) == [.hopBegan, .hopEnded])
      #expect(records.first.flatMap(self.origin)?.stack != 0)
    }
    #expect(try hops(of: "QueueScheduler(late)", in: rig).map(\.kind) == [.hopScheduled])
  }

  @Test("T3: an operator's stream names the stack that made it")
  func places() async throws {
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      let (signal, input) = Signal<Int, Never>.pipe(named: "placed")
      signal.map { $0 }.observeValues { _ in }
      input.send(value: 1)
    }
    let mapped = try #require(rig.stream(named: "placed.map(_:)"))
    #expect(mapped.place == nil)
    #expect(mapped.stack != 0)
    #expect(rig.stacks.contains(mapped.stack))
    #expect(try #require(rig.stream(named: "placed")).stack == 0)
  }
}
