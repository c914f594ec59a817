import Dispatch
import Foundation
import ReactiveSwiftCompatibility
import Testing

extension ImmediateScheduler: DateScheduler {
  /// The date.
  public var currentDate: Date { Date() }

  /// Runs the action at once, as one wrote it who needed no time in tests.
  public func schedule(after date: Date, action: @escaping () -> Void) -> Disposable? {
    schedule(action)
  }

  /// Runs the action at once, and once.
  public func schedule(
    after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
    action: @escaping () -> Void
  ) -> Disposable? {
    schedule(action)
  }
}

/// A client's own scheduler, as one wrote it before there was `Sendable`.
private final class Collector: DateScheduler {
  var actions: [() -> Void] = []
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var currentDate: Date { date }

  func schedule(_ action: @escaping () -> Void) -> Disposable? {
    actions.append(action)
    return nil
  }

  func schedule(after date: Date, action: @escaping () -> Void) -> Disposable? {
    schedule(action)
  }

  func schedule(
    after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
    action: @escaping () -> Void
  ) -> Disposable? {
    schedule(action)
  }

  func runAll() {
    let all = actions
    actions = []
    all.forEach { $0() }
  }
}

@Suite struct SchedulerForms {
  @Test("H2: the immediate scheduler can be extended to one of dates, and used as such")
  func immediate() {
    var log: [String] = []
    let disposable: Disposable? = ImmediateScheduler().schedule { log.append("now") }
    #expect(disposable == nil)
    SignalProducer(value: 1).delay(1, on: ImmediateScheduler()).startWithValues {
      log.append("\($0)")
    }
    #expect(log == ["now", "1"])
  }

  @Test("H2: clients' own schedulers are used by operators")
  func own() {
    let scheduler = Collector()
    var values: [Int] = []
    SignalProducer([1, 2]).observe(on: scheduler).startWithValues { values.append($0) }
    #expect(values.isEmpty)
    while !scheduler.actions.isEmpty { scheduler.runAll() }
    #expect(values == [1, 2])
    SignalProducer(value: 3).start(on: scheduler).startWithValues { values.append($0) }
    scheduler.runAll()
    #expect(values == [1, 2, 3])
  }

  @Test("H1: a queue scheduler runs in order on its queue")
  func queue() {
    let scheduler = QueueScheduler(qos: .default, name: "client")
    let named = QueueScheduler(name: "other")
    let targeting = QueueScheduler(targeting: DispatchQueue(label: "target"))
    #expect(scheduler.queue !== named.queue)
    var values: [Int] = []
    let done = DispatchSemaphore(value: 0)
    for number in 1...3 { scheduler.schedule { values.append(number) } }
    scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(0.001)) { done.signal() }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(values == [1, 2, 3])
    var ticks = 0
    let disposable = targeting.schedule(
      after: Date(), interval: .milliseconds(1), leeway: .seconds(0)
    ) {
      ticks += 1
      if ticks == 3 { done.signal() }
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    disposable?.dispose()
    let result = SignalProducer<Int, Never>([4, 5]).start(on: scheduler).observe(on: named).last()
    #expect(result == .success(5))
    withExtendedLifetime(QueueScheduler.main) {}
    withExtendedLifetime(UIScheduler()) {}
  }

  @Test("H2: a test scheduler's clock is moved by intervals, by seconds and to dates")
  func testScheduler() {
    let start = Date(timeIntervalSinceReferenceDate: 100)
    let scheduler = TestScheduler(startDate: start)
    var log: [String] = []
    scheduler.schedule { log.append("soon") }
    scheduler.schedule(after: .seconds(2)) { log.append("two seconds") }
    scheduler.schedule(after: start.addingTimeInterval(1)) { log.append("one second") }
    let repeated = scheduler.schedule(
      after: start.addingTimeInterval(10), interval: .seconds(1)
    ) { log.append("tick") }
    scheduler.advance()
    #expect(log == ["soon"])
    scheduler.advance(by: .seconds(1))
    scheduler.advance(by: 1.0)
    scheduler.advance(to: start.addingTimeInterval(11))
    repeated?.dispose()
    #expect(log == ["soon", "one second", "two seconds", "tick", "tick"])
    #expect(scheduler.currentDate == start.addingTimeInterval(11))
    scheduler.rewind(by: .seconds(1))
    scheduler.schedule(after: .milliseconds(5)) { log.append("last") }
    scheduler.run()
    #expect(log.last == "last")
  }

  @Test("H5: a test scheduler that has run everything shows the distant future, and goes on")
  func distantFuture() {
    let scheduler = TestScheduler(startDate: Date(timeIntervalSinceReferenceDate: 100))
    var log: [String] = []
    scheduler.schedule(after: .seconds(5)) { log.append("\(scheduler.currentDate)") }
    scheduler.run()
    #expect(log == ["\(Date(timeIntervalSinceReferenceDate: 105))"])
    #expect(scheduler.currentDate == .distantFuture)
    SignalProducer<Int, Never>(value: 1).delay(0.1, on: scheduler)
      .startWithCompleted { log.append("delayed") }
    scheduler.advance(by: .milliseconds(99))
    #expect(log.count == 1)
    scheduler.advance(by: .milliseconds(1))
    #expect(log.last == "delayed")
    scheduler.schedule(after: scheduler.currentDate.addingTimeInterval(0.1)) { log.append("dated") }
    scheduler.advance(to: scheduler.currentDate.addingTimeInterval(0.1))
    #expect(log.last == "dated")
    scheduler.rewind(by: .seconds(1))
    #expect(scheduler.currentDate < .distantFuture)
    scheduler.advance(to: .distantFuture)
    #expect(scheduler.currentDate == .distantFuture)
  }

  @Test("H2: timed operators take seconds or intervals, and any scheduler of dates")
  func timed() {
    let scheduler = TestScheduler()
    let dates: DateScheduler = scheduler
    let (numbers, input) = Signal<Int, TestError>.pipe()
    var log: [String] = []
    func tell<T>(_ name: String, _ signal: Signal<T, TestError>) {
      signal.observe { log.append("\(name) \($0)") }
    }
    tell("delay", numbers.delay(1, on: dates))
    tell("debounce", numbers.debounce(0.5, on: scheduler))
    tell("debounce!", numbers.debounce(0.5, on: scheduler, discardWhenCompleted: false))
    tell("throttle", numbers.throttle(1, on: scheduler))
    tell("collect", numbers.collect(every: .seconds(1), on: scheduler))
    tell(
      "collect!",
      numbers.collect(
        every: .seconds(1), on: scheduler, skipEmpty: true, discardWhenCompleted: false))
    tell("timeout", numbers.timeout(after: 3, raising: .first, on: scheduler))
    tell("lazyMap", numbers.lazyMap(on: scheduler) { $0 * 2 })
    tell("observe", numbers.observe(on: scheduler))
    tell("held", numbers.throttle(while: Property(value: false), on: scheduler))
    input.send(value: 1)
    scheduler.advance()
    #expect(
      Set(log) == [
        "throttle VALUE 1", "timeout VALUE 1", "lazyMap VALUE 2", "observe VALUE 1", "held VALUE 1",
      ])
    scheduler.advance(by: .milliseconds(500))
    #expect(log.contains("debounce VALUE 1"))
    scheduler.advance(by: .milliseconds(500))
    #expect(log.contains("delay VALUE 1"))
    #expect(log.contains("collect VALUE [1]"))
    scheduler.advance(by: .seconds(2))
    #expect(log.contains("timeout FAILED first"))
    var ticks: [Int] = []
    SignalProducer<Int, Never>.interval(.seconds(1), on: scheduler).take(first: 2)
      .startWithValues { ticks.append($0) }
    var letters: [String] = []
    SignalProducer<String, Never>.interval(["a", "b"], interval: .seconds(1), on: scheduler)
      .startWithValues { letters.append($0) }
    var dateCount = 0
    SignalProducer<Date, Never>.timer(interval: .seconds(1), on: scheduler).take(first: 2)
      .startWithValues { _ in dateCount += 1 }
    SignalProducer.timer(interval: .seconds(1), on: scheduler, leeway: .seconds(0)).take(first: 1)
      .startWithValues { (_: Date) in dateCount += 1 }
    scheduler.advance(by: .seconds(3))
    #expect(ticks == [0, 1])
    #expect(letters == ["a", "b"])
    #expect(dateCount == 3)
    var failure: TestError?
    SignalProducer<Int, Never>.never.timeout(after: 1, raising: TestError.first, on: scheduler)
      .startWithFailed { failure = $0 }
    scheduler.advance(by: 1)
    #expect(failure == .first)
  }

  @Test("H4: an interval is a number of seconds, computed or not, or Dispatch's, or a duration")
  func spans() {
    let scheduler = TestScheduler()
    let (numbers, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    func tell(_ name: String, _ signal: Signal<Int, Never>) {
      signal.observeValues { _ in log.append(name) }
    }
    let seconds: TimeInterval = 2
    tell("1/2", numbers.delay(1 / 2, on: scheduler))
    tell("1", numbers.delay(1, on: scheduler))
    tell("2", numbers.delay(seconds, on: scheduler))
    tell("3", numbers.delay(DispatchTimeInterval.seconds(3), on: scheduler))
    tell("4", numbers.delay(.seconds(4), on: scheduler))
    tell("5", numbers.delay(.seconds(4) + .milliseconds(1_000), on: scheduler))
    tell("6", numbers.delay(seconds > 1 ? 6 : 0.5, on: scheduler))
    tell("never", numbers.delay(DispatchTimeInterval.never, on: scheduler))
    input.send(value: 1)
    scheduler.advance(by: 0.5)
    #expect(log == ["1/2"])
    for _ in 1...6 { scheduler.advance(by: .seconds(1)) }
    #expect(log == ["1/2", "1", "2", "3", "4", "5", "6"])
    let time = SignalProducer.timer(interval: .seconds(1), on: scheduler)
    var dates: [TimeInterval] = []
    time.startWithValues { date in dates.append(date.timeIntervalSinceReferenceDate) }
    scheduler.advance(by: 1)
    #expect(dates == [7.5])
  }

  @Test("H2: the clock can be slept by, and moved by asynchronous tests")
  @MainActor
  func asynchronous() async throws {
    let scheduler = TestScheduler()
    let task = Task { @MainActor in try await scheduler.sleep(for: .seconds(5)) }
    await scheduler.advance(by: .seconds(5))
    try await task.value
    let ticking = Task { @MainActor in
      var dates: [Date] = []
      for await date in scheduler.timer(interval: .seconds(1)) {
        dates.append(date)
        if dates.count == 2 { break }
      }
      return dates.count
    }
    await scheduler.advance(by: .seconds(3))
    #expect(await ticking.value == 2)
    await scheduler.advance()
    await scheduler.run()
  }
}
