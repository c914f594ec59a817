import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("What is found where threads hang")
struct HangRuleTests {
  /// Work of a queue that begins to observe `answer`, and what lies queued then.
  private func refresh(
    queued: Bool = true, parallel: Bool = false, ending: TraceEnding? = nil
  ) throws -> [Finding] {
    var script = TraceScript()
    let network = script.scheduler("network")
    let worker = script.thread("worker", ring: 2)
    let other = script.thread("other", ring: 3)
    let answer = script.stream("answer", line: 3)
    script.record(.hopScheduled, of: network, at: 1, subscription: 1)
    if parallel {
      script.record(.hopScheduled, of: network, at: 1, subscription: 3)
      script.record(.hopBegan, of: network, at: 2, ring: other, subscription: 3)
    }
    script.record(.hopBegan, of: network, at: 2, ring: worker, subscription: 1, causes: ["1.1"])
    _ = script.subscribe(answer, at: 3, ring: worker, by: 9)
    if queued {
      script.record(
        .hopScheduled, of: network, .cause(HopPayload(stack: 4, parent: 1)), at: 4, ring: worker,
        subscription: 2)
    }
    return try script.found(ending: ending)
  }

  @Test("work that waits for what is queued behind it hangs, at the line that waits")
  func hang() throws {
    let found = try refresh()
    #expect(found.map(\.kind) == [.hang])
    #expect(found.first?.place == .stack(9))
    #expect(found.first?.ring == 2)
    #expect(found.first?.count == 1)
  }

  /// Work of two queues that waits for what it has given to the other one.
  private func crossed(
    firstWaits first: Double, secondWaits second: Double, firstHasWaited: Bool = false
  ) throws -> [Finding] {
    var script = TraceScript()
    let answer = script.stream("answer", line: 3)
    if firstHasWaited {
      let wait = ScriptedPayload.reason(WaitReason.outcome.rawValue, stack: 7)
      let began = script.record(.waitBegan, of: answer, wait, at: 0, ring: 2)
      script.record(.waitEnded, of: answer, at: 0.1, ring: 2, causes: [began])
    }
    for (queue, time, stack) in [(1, first, 7), (2, second, 8)] as [(UInt32, Double, UInt32)] {
      let own = script.scheduler("queue \(queue)", id: 0x8000_0010 + queue)
      let ring = script.thread("thread \(queue)", ring: 1 + queue)
      let work = UInt64(queue)
      script.record(.hopScheduled, of: own, at: 0, subscription: work)
      script.record(.hopBegan, of: own, at: 1, ring: ring, subscription: work)
      script.record(
        .hopScheduled, of: 0x8000_0010 + (3 - queue), .cause(HopPayload(stack: 4, parent: work)),
        at: time - 0.5, ring: ring, subscription: 10 + work)
      script.record(
        .waitBegan, of: answer, .reason(WaitReason.outcome.rawValue, stack: stack), at: time,
        ring: ring)
    }
    return try script.found(ending: nil).filter { $0.kind == .hang }
  }

  @Test("G1: of two queues that wait for each other, the wait that began last comes first")
  func crossedQueues() throws {
    #expect(try crossed(firstWaits: 5, secondWaits: 9).map(\.place) == [.stack(8), .stack(7)])
    #expect(try crossed(firstWaits: 9, secondWaits: 5).map(\.place) == [.stack(7), .stack(8)])
  }

  @Test("G1: of these, one that has waited there before and gone on comes after the odd one")
  func oddWait() throws {
    let found = try crossed(firstWaits: 9, secondWaits: 5, firstHasWaited: true)
    #expect(found.map(\.place) == [.stack(8), .stack(7)])
  }

  @Test("work in progress is no hang, on a queue of several threads or in a program that went on")
  func noHang() throws {
    #expect(try refresh(queued: false).isEmpty)
    #expect(try refresh(parallel: true).isEmpty)
    #expect(try refresh(ending: .clean).isEmpty)
  }

  @Test("a thread that waits for what only its own queue delivers hangs")
  func ownQueue() throws {
    func launch(isWanted: Bool) throws -> [Finding] {
      var script = TraceScript()
      let main = script.scheduler("main")
      let worker = script.thread("worker", ring: 2)
      let loaded = script.stream("loaded", line: 1)
      let other = script.stream("other", line: 2)
      let settings = script.stream("settings", "observe(on:)", from: [loaded], line: 3)
      _ = script.subscribe(settings, at: 1, by: 9)
      script.value(isWanted ? loaded : other, "de", at: 2, ring: worker)
      script.record(.hopScheduled, of: main, at: 2, ring: worker, subscription: 1, back: 1)
      return try script.found(ending: nil).filter { $0.kind == .hang }
    }
    #expect(try launch(isWanted: true).map(\.place) == [.stack(9)])
    #expect(try launch(isWanted: false).isEmpty)
  }

  /// Two threads that deliver; the first waits for what the second delivers, and perhaps the other way
  /// round. Something else happens after so many milliseconds.
  private func crossing(
    back: Bool, returns: Bool = false, goesOn: Double = 0, ending: TraceEnding? = nil
  ) throws -> [Finding] {
    var script = TraceScript()
    let worker = script.thread("worker", ring: 2)
    let clock = script.thread("clock", ring: 3)
    let office = script.stream("office", line: 1, traits: .hot)
    let shop = script.stream("shop", line: 2, traits: .hot)
    let ticks = script.stream("ticks", line: 3, traits: .hot)
    func delivery(_ stack: UInt32) -> ScriptedPayload {
      .reason(WaitReason.delivery.rawValue, stack: stack)
    }
    script.value(office, "a", at: 1)
    script.value(shop, "b", at: 1, ring: worker)
    script.record(.waitBegan, of: shop, delivery(7), at: 2, back: 1)
    if back { script.record(.waitBegan, of: office, delivery(8), at: 3, ring: worker, back: 1) }
    if returns { script.value(ticks, "c", at: 3, ring: worker) }
    script.value(ticks, "d", at: 3 + goesOn, ring: clock)
    return try script.found(ending: ending).filter { $0.kind == .hang }
  }

  @Test("G1: threads that wait for each other's deliveries hang, where the circle was closed")
  func circle() throws {
    let found = try crossing(back: true)
    #expect(found.map(\.place) == [.stack(8)])
    #expect(found.map(\.weight) == [97])
    #expect(found.first?.evidence == ["1.2", "2.2"])
    #expect(try crossing(back: true, ending: .clean).isEmpty)
  }

  @Test(
    "G1: a delivery that does not return holds up a thread, unless it has only begun or is over")
  func held() throws {
    let found = try crossing(back: false, goesOn: 500)
    #expect(found.map(\.place) == [.stream(2)])
    #expect(try crossing(back: false, goesOn: 5).isEmpty)
    #expect(try crossing(back: false, returns: true, goesOn: 500).isEmpty)
  }
}
