import Testing
import VarveReactive
import VarveTestRig

/// A scheduler of the user's that keeps nothing of what disposes of its work: what it is kept for goes
/// with whoever it was given to, and does something then.
private final class ForgetfulScheduler: TimedScheduler {
  private final class Handle: Disposable {
    private let isOver = Flag()
    private let goes: @Sendable () -> Void

    init(_ goes: @escaping @Sendable () -> Void) { self.goes = goes }
    deinit { goes() }

    var isDisposed: Bool { isOver.isRaised }
    func dispose() { isOver.raise() }
  }

  private let waiting = Box<[@Sendable () -> Void]>([])
  /// What the next handle that goes does.
  let whenGone = Box<(@Sendable () -> Void)?>(nil)

  let now = SchedulerInstant(nanoseconds: 0)

  func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
    waiting.append(action)
    return Handle { [whenGone] in
      whenGone.change { next in
        defer { next = nil }
        return next
      }?()
    }
  }

  func schedule(
    at instant: SchedulerInstant, action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? { schedule(action) }

  func schedule(
    at start: SchedulerInstant, every interval: Duration, leeway: Duration,
    action: @escaping @Sendable () -> Void
  ) -> (any Disposable)? { nil }

  /// Runs what waits now.
  func run() {
    let actions = waiting.change { waiting in
      defer { waiting = [] }
      return waiting
    }
    for action in actions { action() }
  }
}

/// What a user's scheduler gave for work goes while no lock is held.
@Suite struct ForeignHandleTests {
  private let scheduler = ForgetfulScheduler()

  @Test("what was kept for a value that `lazyMap` has delivered may end the stream when it goes")
  func lazyMap() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let values = Box<[Int]>([])
    let run = signal.producer.lazyMap(on: scheduler) { $0 * 2 }
      .startWithValues { values.append($0) }
    input.send(value: 1)
    scheduler.run()
    scheduler.whenGone.set { run.dispose() }
    input.send(value: 2)
    scheduler.run()
    #expect(run.isDisposed)
    #expect(values.value == [2])
  }

  @Test("what was kept for a turn that is over may end the turns when it goes")
  func recursion() {
    let turns = Box(0)
    let work = scheduler.scheduleRecursively { again in
      turns.change { $0 += 1 }
      again()
    }
    scheduler.whenGone.set { work?.dispose() }
    scheduler.run()
    scheduler.run()
    #expect(work?.isDisposed == true)
    #expect(turns.value == 1)
  }

  @Test("what was kept for a value whose time has come may send the next one when it goes")
  func debounce() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let values = Box<[Int]>([])
    signal.debounce(.seconds(1), on: scheduler).observeValues { values.append($0) }
    input.send(value: 1)
    scheduler.whenGone.set { input.send(value: 2) }
    scheduler.run()
    scheduler.run()
    #expect(values.value == [1, 2])
  }
}
