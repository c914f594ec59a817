import CVarveSystem
import Dispatch
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// What a trace is told of scheduled work.
@Suite("Hops in a trace", .serialized)
struct HopRecordTests {
  private func id(of name: String, in rig: ProbeRig) throws -> UInt32 {
    try #require(rig.scheduler(named: name)).id
  }

  @Test(
    "T3: an action given to a queue is scheduled, begins and ends, on the threads where it does")
  func hop() async throws {
    let scheduler = QueueScheduler(name: "hop")
    let threads = Box<[UInt64]>([])
    let rig = await ProbeRig.record { _ in
      onThreads(1) { _ in
        threads.append(vv_thread_system_id())
        scheduler.schedule { threads.append(vv_thread_system_id()) }
        scheduler.queue.sync {}
      }
    }
    let records = rig.hops(of: try id(of: "QueueScheduler(hop)", in: rig))
    #expect(records.map(\.kind) == [.hopScheduled, .hopBegan, .hopEnded])
    #expect(Set(records.map(\.subscription)).count == 1)
    #expect(records[0].subscription != 0)
    #expect(records.map(\.thread) == [threads.value[0], threads.value[1], threads.value[1]])
  }

  @Test("T4: what schedules precedes what runs, in cause and in time")
  func order() async throws {
    let scheduler = QueueScheduler(name: "order")
    let rig = await ProbeRig.record { _ in
      for _ in 0..<1000 { scheduler.schedule {} }
      onFreshThread { scheduler.queue.sync {} }
    }
    let records = rig.records
    let byReference = Dictionary(uniqueKeysWithValues: records.map { ($0.reference, $0) })
    let scheduler_id = try id(of: "QueueScheduler(order)", in: rig)
    let hops = records.filter { $0.stream == scheduler_id }
    #expect(hops.count { $0.kind == .hopBegan } == 1000)
    for record in hops where record.kind != .hopScheduled {
      let cause = try #require(record.causes.first.flatMap { byReference[$0] })
      #expect(cause.kind == (record.kind == .hopBegan ? .hopScheduled : .hopBegan))
      #expect(cause.subscription == record.subscription)
      #expect(cause.ticks < record.ticks)
    }
  }

  @Test("T3: what an action does is caused by its beginning")
  func causes() async throws {
    let (first, second) = (QueueScheduler(name: "first"), QueueScheduler(name: "second"))
    let rig = await ProbeRig.record { _ in
      onThreads(1) { _ in
        first.schedule {
          second.schedule {}
        }
        first.schedule {}
        first.queue.sync {}
        second.queue.sync {}
      }
    }
    let firsts = rig.hops(of: try id(of: "QueueScheduler(first)", in: rig))
    let seconds = rig.hops(of: try id(of: "QueueScheduler(second)", in: rig))
    let began = try #require(firsts.first { $0.kind == .hopBegan })
    #expect(seconds[0].kind == .hopScheduled)
    #expect(seconds[0].causes == [began.reference])
    // What was scheduled outside of all work has no cause, before and after.
    #expect(firsts.filter { $0.kind == .hopScheduled }.map(\.causes) == [[], []])
  }

  @Test("T3: an action that is disposed of before it began is told to be cancelled")
  func cancelled() async throws {
    let scheduler = TestScheduler()
    let rig = await ProbeRig.record { _ in
      let handle = scheduler.schedule {}
      handle?.dispose()
      handle?.dispose()
      let other = scheduler.schedule {}
      scheduler.advance()
      other?.dispose()
    }
    let hops = Dictionary(grouping: rig.hops(of: scheduler.recordedID)) { $0.subscription }
    let kinds = hops.values.map { $0.map(\.kind) }.sorted { $0.count < $1.count }
    #expect(
      kinds == [[.hopScheduled, .hopCancelled], [.hopScheduled, .hopBegan, .hopEnded]])
  }

  @Test("T3: each tick of a timer is a hop, caused by what set the timer up")
  func ticks() async throws {
    let scheduler = TestScheduler()
    let rig = await ProbeRig.record { _ in
      scheduler.schedule {
        let timer = scheduler.schedule(after: .zero, every: .seconds(1)) {}
        scheduler.schedule(after: .seconds(3)) { timer?.dispose() }
      }
      scheduler.advance(by: .seconds(5))
    }
    let records = rig.hops(of: scheduler.recordedID)
    let outer = try #require(records.first { $0.kind == .hopBegan })
    let origin = try #require(records.first { $0.causes == [outer.reference] })
    #expect(origin.kind == .hopScheduled)
    let later = records.filter { $0.kind == .hopScheduled && $0.causes == [origin.reference] }
    let settings = [origin] + later
    // Ticks 0 to 2 ran; the fourth was set, and then the timer was disposed of.
    #expect(settings.count == 4)
    let ended = settings.map { setting in
      records.filter { $0.subscription == setting.subscription }.map(\.kind)
    }
    let ran: [RecordKind] = [.hopScheduled, .hopBegan, .hopEnded]
    #expect(ended == [ran, ran, ran, [.hopScheduled, .hopCancelled]])
  }

  @Test("T4: work that moves a virtual clock inside a delivery gives its cause back")
  func restores() async throws {
    let (outer, inner) = (QueueScheduler(name: "restores"), TestScheduler())
    let rig = await ProbeRig.record { _ in
      inner.schedule {}
      outer.schedule {
        inner.advance()
        outer.schedule {}
      }
      outer.queue.sync {}
      outer.queue.sync {}
    }
    let records = rig.hops(of: try id(of: "QueueScheduler(restores)", in: rig))
    let began = try #require(records.first { $0.kind == .hopBegan })
    let scheduled = records.filter { $0.kind == .hopScheduled }
    #expect(scheduled.last?.causes == [began.reference])
    let innerBegan = rig.records(.hopBegan, of: inner.recordedID)
    #expect(innerBegan.map { rig.record($0.causes.first)?.kind } == [.hopScheduled])
  }

  @Test(
    "T2: work scheduled before a recording began, or in an earlier one, is told without a cause")
  func acrossRecordings() async throws {
    let scheduler = TestScheduler()
    await GateTurn.take { _ = scheduler.schedule {} }
    let second = Box<ProbeRig?>(nil)
    let first = await ProbeRig.record { rig in
      scheduler.schedule {}
      rig.close()
      second.set(ProbeRig.reopened())
      scheduler.advance()
      second.value?.close()
    }
    let before = first.hops(of: scheduler.recordedID)
    #expect(before.map(\.kind) == [.hopScheduled])
    let rig = try #require(second.value)
    let after = rig.hops(of: scheduler.recordedID)
    #expect(after.map(\.kind) == [.hopBegan, .hopEnded, .hopBegan, .hopEnded])
    #expect(after.filter { $0.kind == .hopBegan }.map(\.causes) == [[], []])
    #expect(after.allSatisfy { $0.subscription != 0 })
  }

  @Test("T2: when recording stops during an action, nothing of it is told afterwards")
  func stopsInside() async throws {
    let scheduler = TestScheduler()
    let rig = await ProbeRig.record { rig in
      scheduler.schedule { rig.close() }
      scheduler.schedule {}
      scheduler.advance()
    }
    let records = rig.hops(of: scheduler.recordedID)
    #expect(records.map(\.kind) == [.hopScheduled, .hopScheduled, .hopBegan])
  }

  @Test("a scheduler is defined before a record refers to it, once in each recording")
  func definitions() async throws {
    let scheduler = QueueScheduler(name: "definitions")
    for _ in 0..<2 {
      let rig = await ProbeRig.record { rig in
        for _ in 0..<10 { scheduler.schedule {} }
        #expect(rig.scheduler(named: "QueueScheduler(definitions)") != nil)
        scheduler.queue.sync {}
      }
      let id = try id(of: "QueueScheduler(definitions)", in: rig)
      #expect(rig.schedulers.count { $0.id == id } == 1)
      #expect(rig.records(.hopEnded, of: id).count == 10)
    }
  }

  @Test("what runs inside the call is no hop")
  func insideTheCall() async {
    let rig = await ProbeRig.record { _ in
      ImmediateScheduler().schedule {}
    }
    #expect(rig.scheduler(named: "ImmediateScheduler") == nil)
  }

  @Test("the thread knows the hop that it runs, and nothing of it afterwards")
  func runningHop() async throws {
    let scheduler = TestScheduler()
    let hops = Box<[UInt64]>([])
    let hop: @Sendable () -> UInt64 = { vv_thread_current()?.pointee.hop ?? 0 }
    let rig = await ProbeRig.record { _ in
      scheduler.schedule { hops.append(hop()) }
      scheduler.advance()
      hops.append(hop())
    }
    let began = rig.records(.hopBegan, of: scheduler.recordedID)
    #expect(hops.value == [began[0].subscription, 0])
  }

  @Test("a test scheduler can turn the clock that records bear")
  func traceClock() async throws {
    let id = Box<UInt32>(0)
    let rig = await ProbeRig.record { _ in
      onThreads(1) { _ in
        let start = SchedulerInstant(nanoseconds: 1_000_000)
        let scheduler = TestScheduler(startingAt: start, turningTraceClock: true)
        id.set(scheduler.recordedID)
        scheduler.schedule(after: .seconds(1)) {}
        scheduler.advance(by: .seconds(2))
      }
    }
    let records = rig.hops(of: id.value)
    #expect(records.map(\.ticks) == [1_000_000, 1_001_000_000, 1_001_000_001])
    #expect(vv_clock_ticks() > 3_000_000_000, "the clock was not given back")
  }

  @Test("T9: recording changes neither order nor result")
  func unchanged() async {
    func run() -> [Int] {
      let scheduler = TestScheduler()
      let log = Box<[Int]>([])
      for number in 0..<50 {
        let handle = scheduler.schedule(after: .nanoseconds(number % 7)) { log.append(number) }
        if number % 5 == 0 { handle?.dispose() }
      }
      scheduler.advance(by: .nanoseconds(10))
      return log.value
    }
    let plain = await GateTurn.take { run() }
    let recorded = Box<[Int]>([])
    await ProbeRig.record { _ in recorded.set(run()) }
    #expect(recorded.value == plain)
    #expect(plain.count == 40)
  }
}
