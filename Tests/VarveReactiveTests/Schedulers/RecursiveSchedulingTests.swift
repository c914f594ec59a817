import Dispatch
import Synchronization
import Testing
import VarveReactive
import VarveTestRig

@Suite("Recursive scheduling")
struct RecursiveSchedulingTests {
  private static let manyTurns = 10_000_000

  /// Counts without a lock: ten million turns are many for a build without optimisation.
  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func increase() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
    func decrease() { count.wrappingSubtract(1, ordering: .relaxed) }
  }

  @Test("H10: ten million turns inside the call do not grow the stack")
  func immediate() {
    let turns = Counter()
    ImmediateScheduler().scheduleRecursively { again in
      if turns.increase() < Self.manyTurns { again() }
    }
    #expect(turns.value == Self.manyTurns)
  }

  @Test("H10: a million turns on a queue run one after the other")
  func queue() {
    let scheduler = QueueScheduler(name: "recursive")
    let turns = Counter()
    let done = DispatchSemaphore(value: 0)
    scheduler.scheduleRecursively { again in
      if turns.increase() < 1_000_000 { again() } else { done.signal() }
    }
    done.waitInTime()
    #expect(turns.value == 1_000_000)
  }

  @Test("H10: a turn begins when the one that asked for it has returned")
  func order() {
    let log = Box<[String]>([])
    ImmediateScheduler().scheduleRecursively { again in
      let turn = log.value.count / 2
      log.append("turn \(turn) begins")
      if turn < 2 { again() }
      log.append("turn \(turn) ends")
    }
    #expect(
      log.value == [
        "turn 0 begins", "turn 0 ends", "turn 1 begins", "turn 1 ends", "turn 2 begins",
        "turn 2 ends",
      ])
  }

  @Test("H10: asking twice gives two turns")
  func twice() {
    let turns = Counter()
    ImmediateScheduler().scheduleRecursively { again in
      if turns.increase() == 1 {
        again()
        again()
      }
    }
    #expect(turns.value == 3)
  }

  @Test("H10: the next turn may be asked for later")
  func later() {
    let turns = Counter()
    let ask = Box<(@Sendable () -> Void)?>(nil)
    ImmediateScheduler().scheduleRecursively { again in
      _ = turns.increase()
      ask.set(again)
    }
    #expect(turns.value == 1)
    ask.value?()
    ask.value?()
    #expect(turns.value == 3)
  }

  @Test("H10: turns that other threads ask for become iteration, without overlap or loss")
  func threads() {
    let inside = Counter()
    let overlaps = Counter()
    for scheduler in [ImmediateScheduler() as any Scheduler, QueueScheduler(name: "threads")] {
      let turns = Counter()
      let ask = Box<(@Sendable () -> Void)?>(nil)
      let (first, last) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      scheduler.scheduleRecursively { again in
        if inside.increase() > 1 { _ = overlaps.increase() }
        switch turns.increase() {
        case 1:
          ask.set(again)
          first.signal()
        case 4001: last.signal()
        default: break
        }
        inside.decrease()
      }
      first.waitInTime()
      let again = ask.value
      onThreads(4) { _ in for _ in 0..<1000 { again?() } }
      last.waitInTime()
      #expect(turns.value == 4001)
    }
    #expect(overlaps.value == 0)
  }

  @Test("H10: disposal stops the next turn")
  func disposed() {
    let turns = Counter()
    let scheduler = TestScheduler()
    let ask = Box<(@Sendable () -> Void)?>(nil)
    let work = scheduler.scheduleRecursively { again in
      _ = turns.increase()
      ask.set(again)
      again()
    }
    scheduler.schedule(after: .nanoseconds(1)) {}
    #expect(throws: TestScheduler.RunLimitReached.self) { try scheduler.run(limit: 5) }
    #expect(turns.value == 5)
    work?.dispose()
    scheduler.advance(by: .seconds(1))
    ask.value?()
    scheduler.advance(by: .seconds(1))
    #expect(turns.value == 5)
    #expect(work?.isDisposed == true)
  }

  @Test("H10: a turn that disposes of its own work is the last")
  func disposesItself() {
    let turns = Counter()
    let work = SerialDisposable()
    let scheduler = TestScheduler()
    work.inner = scheduler.scheduleRecursively { again in
      if turns.increase() == 3 { work.dispose() }
      again()
    }
    scheduler.advance()
    #expect(turns.value == 3)
  }

  @Test("disposal releases the action")
  func releases() {
    weak var captured: Box<Int>?
    let scheduler = TestScheduler()
    let work: (any Disposable)?
    do {
      let box = Box(0)
      captured = box
      work = scheduler.scheduleRecursively { again in
        box.change { $0 += 1 }
        again()
      }
    }
    scheduler.schedule { [weak work] in work?.dispose() }
    #expect(captured != nil)
    scheduler.advance()
    #expect(captured == nil)
    withExtendedLifetime(work) {}
  }
}
