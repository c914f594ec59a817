import Dispatch
import Foundation
import ReactiveSwiftCompatibility
import Testing

/// A test's clock, and tasks that sleep by it. Their limit is that of a hang: they go on only when the
/// tests that hold the pool's threads meanwhile let them.
@MainActor @Suite(.timeLimit(.minutes(60))) struct VirtualTimeForms {
  private let scheduler = TestScheduler(startDate: Date(timeIntervalSinceReferenceDate: 0))
  private let log = Atomic<[Double]>([])

  private nonisolated var seconds: Double { scheduler.currentDate.timeIntervalSinceReferenceDate }

  @Test("H5: two sleeps of a second within two seconds see 1 and 2, on the main actor")
  func mainActor() async {
    Task { @MainActor in
      for _ in 0..<2 {
        try await scheduler.sleep(for: .seconds(1))
        log.modify { $0.append(seconds) }
      }
    }
    await scheduler.advance(by: .seconds(2))
    #expect(log.value == [1, 2])
  }

  @Test("H5: so they do in tasks of no actor and of any priority", arguments: [9, 17, 21, 25])
  func detached(priority: UInt8) async {
    let (scheduler, log) = (scheduler, log)
    Task.detached(priority: TaskPriority(rawValue: priority)) {
      for _ in 0..<5 {
        try await scheduler.sleep(for: .seconds(1))
        log.modify { $0.append(scheduler.currentDate.timeIntervalSinceReferenceDate) }
      }
    }
    await scheduler.advance(by: .seconds(5))
    #expect(log.value == [1, 2, 3, 4, 5])
  }

  private actor Sleeper {
    func sleep(by scheduler: TestScheduler) async throws -> Double {
      try await scheduler.sleep(for: .seconds(1))
      return scheduler.currentDate.timeIntervalSinceReferenceDate
    }
  }

  @Test("H5: so they do in an actor, and between hops to others")
  func actors() async {
    let (scheduler, log) = (scheduler, log)
    let (one, other) = (Sleeper(), Sleeper())
    Task {
      for _ in 0..<2 {
        let first = try await one.sleep(by: scheduler)
        log.modify { $0.append(first) }
        let second = try await other.sleep(by: scheduler)
        log.modify { $0.append(second) }
      }
    }
    await scheduler.advance(by: .seconds(4))
    #expect(log.value == [1, 2, 3, 4])
  }

  @Test("H5: a timer's tick is received while the clock shows its date")
  func ticks() async {
    let ticks = Atomic<[[Double]]>([])
    let task = Task { @MainActor in
      for await date in scheduler.timer(interval: .seconds(1)) {
        ticks.modify { $0.append([date.timeIntervalSinceReferenceDate, seconds]) }
      }
    }
    await scheduler.advance(by: .milliseconds(3500))
    #expect(ticks.value == [[1, 1], [2, 2], [3, 3]])
    #expect(seconds == 3.5)
    task.cancel()
  }

  @Test("H5: what a stream brings to a task is received while the clock shows its date")
  func delayed() async {
    let values = SignalProducer<Int, Never>([1, 2, 3]).delay(1, on: scheduler)
      .values(buffering: .unbounded)
    let task = Task { @MainActor in
      for await _ in values { log.modify { $0.append(seconds) } }
      try await scheduler.sleep(for: .seconds(1))
      log.modify { $0.append(seconds) }
    }
    await scheduler.advance(to: Date(timeIntervalSinceReferenceDate: 2))
    #expect(log.value == [1, 1, 1, 2])
    _ = try? await task.value
  }

  @Test("H5: run() ends after the last action that tasks have scheduled, and jumps nowhere")
  func run() async {
    Task { @MainActor in
      for _ in 0..<3 {
        try await scheduler.sleep(for: .seconds(1))
        log.modify { $0.append(seconds) }
      }
    }
    await scheduler.run()
    #expect(log.value == [1, 2, 3])
    #expect(seconds == 3)
  }

  @Test("H5: run with a timer that nobody ends stops at the limit and says so")
  func limit() async throws {
    let timer = scheduler.schedule(
      after: Date(timeIntervalSinceReferenceDate: 1), interval: .seconds(1), leeway: .seconds(0)
    ) {}
    await #expect(throws: TestScheduler.RunLimitReached.self) { try await scheduler.run(limit: 20) }
    #expect(seconds == 20)
    timer?.dispose()
    try await scheduler.run(limit: 20)
    #expect(seconds == 20)
  }

  @Test("H5: a sleeper that is cancelled holds up nobody")
  func cancelled() async {
    let task = Task { @MainActor in try await scheduler.sleep(for: .seconds(1)) }
    await scheduler.advance()
    task.cancel()
    await scheduler.advance(by: 2)
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(seconds == 2)
  }

  @Test("H5: advance() runs what is due now, and lets tasks go on before and after")
  func now() async {
    Task { @MainActor in
      try await scheduler.sleep(for: .seconds(0))
      log.modify { $0.append(seconds) }
    }
    await scheduler.advance()
    #expect(log.value == [0])
  }
}
