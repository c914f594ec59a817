import Foundation
import Testing
import VarveReactive
import VarveTestRig

/// What an asynchronous backtrace follows.
@Suite("What asynchronous backtraces follow", .serialized)
struct FollowedHopsTests {
  @inline(never)
  private func pressKey(_ input: Signal<Int, Never>.Observer) { input.send(value: 1) }

  /// An operator that hops when a value comes.
  struct Hopping: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Signal<Int, Never>, QueueScheduler) -> Signal<Int, Never>
  }

  static let hopping = [
    Hopping(testDescription: "observe(on:)") { $0.observe(on: $1) },
    Hopping(testDescription: "delay") { $0.delay(.milliseconds(1), on: $1) },
    Hopping(testDescription: "debounce") { $0.debounce(.milliseconds(1), on: $1) },
    Hopping(testDescription: "throttle") { $0.throttle(.milliseconds(1), on: $1) },
    Hopping(testDescription: "twice") { $0.observe(on: $1).map { $0 }.delay(.zero, on: $1) },
  ]

  @Test("B3: the chain leads from a delivered value to who sent it", arguments: hopping)
  func values(_ hopping: Hopping) async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let queue = QueueScheduler(name: "hop")
    let finding = Finding()
    let observation = hopping.apply(signal, queue).observeValues { _ in finding.note() }
    let backtrace = await capturing {
      pressKey(input)
      return finding.backtrace
    }
    observation?.dispose()
    let segments = backtrace.segments
    #expect(segments.count >= 2)
    #expect(segments.dropFirst().contains { $0.mentions("pressKey") })
    #expect(segments.dropFirst().allSatisfy { $0.scheduler == "QueueScheduler(hop)" })
    #expect(!segments[0].mentions("pressKey"))
  }

  @Test("B3: the chain leads from a completion to who sent it")
  func completion() async {
    @inline(never) func hangUp(_ input: Signal<Int, Never>.Observer) { input.sendCompleted() }
    let (signal, input) = Signal<Int, Never>.pipe()
    let finding = Finding()
    signal.observe(on: QueueScheduler(name: "end")).observeCompleted { finding.note() }
    let backtrace = await capturing {
      hangUp(input)
      return finding.backtrace
    }
    #expect(backtrace.segments.dropFirst().contains { $0.mentions("hangUp") })
  }

  @Test("B3: the chain leads from a producer's work to who started it")
  func start() async {
    @inline(never) func begin(_ producer: SignalProducer<Int, Never>) { producer.start() }
    let finding = Finding()
    let producer = SignalProducer<Int, Never> { observer, _ in
      finding.note()
      observer.sendCompleted()
    }
    let backtrace = await capturing {
      begin(producer.start(on: QueueScheduler(name: "start")))
      return finding.backtrace
    }
    #expect(backtrace.segments.dropFirst().contains { $0.mentions("begin") })
  }

  @Test("B3: the chain leads from each tick of a timer to who set it up, not through the ticks")
  func ticks() async {
    @inline(never) @Sendable func setClock(_ queue: QueueScheduler, _ finding: Finding) {
      let ticks = Box(0)
      let handle = Box<(any Disposable)?>(nil)
      handle.set(
        queue.schedule(after: .milliseconds(1), every: .milliseconds(1)) {
          if ticks.change({
            $0 += 1; return $0
          }) == 4 {
            finding.note()
            handle.value?.dispose()
          }
        })
    }
    let queue = QueueScheduler(name: "clock")
    let finding = Finding()
    let backtrace = await capturing {
      setClock(queue, finding)
      return finding.backtrace
    }
    let segments = backtrace.segments
    #expect(segments.count == 2)
    #expect(segments[1].mentions("setClock"))
    #expect(segments[1].repeats == 0)
  }

  @Test("B3: the chain leads from each turn of recursive work to who began it")
  func turns() async {
    @inline(never) @Sendable func unroll(_ queue: QueueScheduler, _ finding: Finding) {
      let turns = Box(0)
      queue.scheduleRecursively { again in
        if turns.change({
          $0 += 1; return $0
        }) == 50 {
          return finding.note()
        }
        // The call that scheduled the turn returns first, else it is that which schedules the next.
        usleep(200)
        again()
      }
    }
    let queue = QueueScheduler(name: "turns")
    let finding = Finding()
    let backtrace = await capturing {
      unroll(queue, finding)
      return finding.backtrace
    }
    #expect(backtrace.segments.last?.mentions("unroll") == true)
    #expect(backtrace.segments.count <= 5)
    // How many turns one action takes hangs on how busy the queue is.
    #expect(backtrace.segments.map(\.repeats).reduce(0, +) > 0)
  }

  @Test("B3: the chain leads from a virtual clock's work to who scheduled it")
  func virtualTime() async {
    @inline(never) func plan(_ clock: TestScheduler, _ finding: Finding) {
      clock.schedule(after: .seconds(3)) { finding.note() }
    }
    let clock = TestScheduler()
    let finding = Finding()
    let backtrace = await capturing {
      plan(clock, finding)
      clock.advance(by: .seconds(5))
      return finding.backtrace
    }
    #expect(backtrace.segments.count == 2)
    #expect(backtrace.segments[1].mentions("plan"))
    #expect(backtrace.segments[1].scheduler == "TestScheduler")
  }

  @Test("B3: the chain leads through a task, over its suspensions, and on from there")
  func tasks() async {
    @inline(never) @Sendable func ask(_ queue: QueueScheduler, _ findings: [Finding]) {
      TrackedTask.start {
        findings[0].note()
        try? await Task.sleep(nanoseconds: 1_000_000)
        await Task.yield()
        findings[1].note()
        answer(queue, findings[2])
      }
    }
    @inline(never) @Sendable func answer(_ queue: QueueScheduler, _ finding: Finding) {
      queue.schedule { finding.note() }
    }
    let findings = [Finding(), Finding(), Finding()]
    let queue = QueueScheduler(name: "after the task")
    let backtraces = await capturing {
      ask(queue, findings)
      return findings.map(\.backtrace)
    }
    for backtrace in backtraces.prefix(2) {
      #expect(backtrace.segments.count == 2)
      #expect(backtrace.segments[1].scheduler == "Task")
      #expect(backtrace.segments[1].mentions("ask"))
    }
    #expect(
      backtraces[2].segments.map(\.scheduler) == [
        nil, "QueueScheduler(after the task)", "Task",
      ])
    #expect(backtraces[2].segments[1].mentions("answer"))
    #expect(backtraces[2].segments[2].mentions("ask"))
  }

  @Test("B3: what a delivery sets up on a thread of its own does not stay there")
  func restored() async {
    let queue = QueueScheduler(name: "restored")
    let (first, second) = (Finding(), Finding())
    await capturing {
      queue.schedule { first.note() }
      queue.queue.async { second.note() }
      _ = (first.backtrace, second.backtrace)
    }
    #expect(first.backtrace.segments.count == 2)
    #expect(second.backtrace.segments.count == 1)
  }
}
