import CVarveSystem
import Dispatch
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// A scheduler as a user of the library writes it, on top of a queue.
private final class OwnLoop: TimedScheduler, CustomStringConvertible {
  private let queue = DispatchQueue(label: "own loop")
  let description: String

  init(_ name: String) { description = "OwnLoop(\(name))" }

  var now: SchedulerInstant {
    SchedulerInstant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
  }

  func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    let disposable = AnyDisposable()
    queue.async { if !disposable.isDisposed { action() } }
    return disposable
  }

  func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    let disposable = AnyDisposable()
    let time = DispatchTime(uptimeNanoseconds: UInt64(instant.nanoseconds))
    queue.asyncAfter(deadline: time) { if !disposable.isDisposed { action() } }
    return disposable
  }

  func schedule(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? {
    let disposable = AnyDisposable()
    @Sendable func tick(_ due: SchedulerInstant) {
      queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: UInt64(due.nanoseconds))) {
        if disposable.isDisposed { return }
        action()
        tick(due + interval)
      }
    }
    tick(start)
    return disposable
  }

  func drain() { queue.sync {} }
}

/// A scheduler that keeps actions until it is told to run them or to let them go.
private final class Shelf: Scheduler {
  private let actions = Box<[@Sendable () -> Void]>([])

  func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    actions.append(action)
    return nil
  }

  func run() { take().forEach { $0() } }
  func drop() { _ = take() }

  private func take() -> [@Sendable () -> Void] {
    actions.change { all in
      defer { all = [] }
      return all
    }
  }
}

/// Schedulers that are not the library's.
@Suite("Hops to schedulers of one's own", .serialized)
struct OwnSchedulerTests {
  @inline(never)
  private func pressKey(_ input: Signal<Int, Never>.Observer) { input.send(value: 1) }

  struct Hopping: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (Signal<Int, Never>, any TimedScheduler) -> Signal<Int, Never>
  }

  static let hopping = [
    Hopping(testDescription: "observe(on:)") { $0.observe(on: $1) },
    Hopping(testDescription: "delay") { $0.delay(.milliseconds(1), on: $1) },
    Hopping(testDescription: "debounce") { $0.debounce(.milliseconds(1), on: $1) },
    Hopping(testDescription: "throttle") { $0.throttle(.milliseconds(1), on: $1) },
    Hopping(testDescription: "lazyMap") { $0.lazyMap(on: $1) { $0 } },
    Hopping(testDescription: "throttle(while:)") {
      $0.throttle(while: Property(value: false), on: $1)
    },
  ]

  @Test("B3: the chain leads through a scheduler that does nothing for it", arguments: hopping)
  func values(_ hopping: Hopping) async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let finding = Finding()
    let observation = hopping.apply(signal, OwnLoop("keys")).observeValues { _ in finding.note() }
    let backtrace = await capturing {
      pressKey(input)
      return finding.backtrace
    }
    observation?.dispose()
    let hops = backtrace.segments.dropFirst()
    #expect(hops.map(\.scheduler) == ["OwnLoop(keys)"])
    #expect(hops.contains { $0.mentions("pressKey") })
  }

  @Test(
    "B3: so it does from work that starts there, from ticks, turns, bindings and what is retried")
  func others() async {
    @inline(never) @Sendable func begin(_ body: () -> Void) {
      body()
    }
    let loop = OwnLoop("others")
    let (lifetime, token) = Lifetime.make()
    defer { token.dispose() }
    let ways: [@Sendable (Finding) -> Void] = [
      { finding in
        SignalProducer<Int, Never> { observer, _ in
          finding.note()
          observer.sendCompleted()
        }.start(on: loop).start()
      },
      { finding in
        SignalProducer<Int, Never>.interval(.milliseconds(1), on: loop).take(first: 3)
          .filter { $0 == 2 }.startWithValues { _ in finding.note() }
      },
      { finding in
        loop.scheduleRecursively { _ in finding.note() }
      },
      { finding in
        loop.schedule(after: .milliseconds(1)) { finding.note() }
      },
      { finding in
        let target = BindingTarget<Int>(on: loop, lifetime: lifetime) { _ in finding.note() }
        target <~ SignalProducer(value: 1)
      },
      { finding in
        let attempts = Box(0)
        SignalProducer<Int, TestFailure> { observer, _ in
          if attempts.change({
            $0 += 1; return $0
          }) == 2 {
            finding.note()
          }
          observer.send(error: TestFailure())
        }.retry(upTo: 1, interval: .milliseconds(1), on: loop).start()
      },
    ]
    for (index, way) in ways.enumerated() {
      let finding = Finding()
      let backtrace = await capturing {
        begin { way(finding) }
        return finding.backtrace
      }
      let hops = backtrace.segments.dropFirst()
      #expect(hops.allSatisfy { $0.scheduler == "OwnLoop(others)" }, "\(index)")
      #expect(hops.contains { $0.mentions("begin") }, "\(index) \(backtrace)")
    }
  }

  @Test("T3: a trace is told of its hops, under its description, each with its cause")
  func records() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "own scheduler's source")
    let loops = [OwnLoop("first"), OwnLoop("second")]
    signal.observe(on: loops[0]).observe(on: loops[1]).observeValues { _ in }
    let rig = await ProbeRig.record { _ in
      input.send(value: 1)
      for loop in loops { loop.drain() }
    }
    let ids = try ["OwnLoop(first)", "OwnLoop(second)"].map {
      try #require(rig.scheduler(named: $0)).id
    }
    #expect(Set(ids).count == 2)
    for id in ids {
      let hops = rig.hops(of: id)
      #expect(hops.map(\.kind) == [.hopScheduled, .hopBegan, .hopEnded])
      #expect(rig.record(hops.last?.causes.first)?.kind == .hopBegan)
      #expect(rig.record(hops[1].causes.first)?.kind == .hopScheduled)
      #expect(rig.record(hops[0].causes.first)?.kind == .value)
    }
  }

  @Test("T3: schedulers of the library tell of a hop once")
  func once() async throws {
    let schedulers: [any Scheduler] = [
      QueueScheduler(name: "told once"), TestScheduler(), ImmediateScheduler(),
    ]
    for scheduler in schedulers {
      let (signal, input) = Signal<Int, Never>.pipe(named: "told once")
      signal.throttle(while: Property(value: false), on: scheduler).observe(on: scheduler)
        .observeValues { _ in }
      let rig = await ProbeRig.record { _ in
        input.send(value: 1)
        (scheduler as? TestScheduler)?.advance()
        (scheduler as? QueueScheduler)?.queue.sync {}
        (scheduler as? QueueScheduler)?.queue.sync {}
      }
      let own = Set(rig.streams.filter { $0.name.hasPrefix("told once") }.map(\.id))
      let scheduled = rig.records.filter { record in
        record.kind == .hopScheduled
          && rig.record(record.causes.first).map { own.contains($0.stream) } == true
      }
      #expect(scheduled.count == (scheduler is ImmediateScheduler ? 0 : 2), "\(scheduler)")
    }
  }

  @Test("T3: an action that such a scheduler lets go of is told to be cancelled")
  func dropped() async throws {
    let shelf = Shelf()
    let rig = await ProbeRig.record { _ in
      for _ in 0..<2 { SignalProducer<Int, Never>(value: 1).start(on: shelf).start() }
      shelf.drop()
      SignalProducer<Int, Never>(value: 1).start(on: shelf).start()
      shelf.run()
    }
    let hops = rig.hops(of: try #require(rig.scheduler(named: "Shelf")).id)
    #expect(hops.count { $0.kind == .hopScheduled } == 3)
    #expect(hops.count { $0.kind == .hopCancelled } == 2)
    #expect(hops.count { $0.kind == .hopEnded } == 1)
  }

  @Test("T9: such a scheduler's answers are its own, also while it is followed")
  func answers() async {
    final class Twice: Scheduler {
      func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        action()
        action()
        return nil
      }
    }
    func runs() -> Int {
      let runs = Box(0)
      SignalProducer<Int, Never> { _, _ in runs.change { $0 += 1 } }.start(on: Twice()).start()
      return runs.value
    }
    let plain = runs()
    #expect(await capturing { runs() } == plain)
  }

  @Test("B1: nothing is kept of such hops while nobody asks for it")
  func off() async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let loop = OwnLoop("off")
    let finding = Finding()
    signal.observe(on: loop).observeValues { _ in finding.note() }
    await GateTurn.take {
      let stacks = vv_stack_kept()
      pressKey(input)
      loop.drain()
      #expect(finding.backtrace.segments.count == 1)
      #expect(vv_stack_kept() == stacks)
    }
  }
}
