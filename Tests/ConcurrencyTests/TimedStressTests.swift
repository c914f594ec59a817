import Dispatch
import Testing
import VarveReactive
import VarveTestRig

/// Threads that send, end and dispose while a queue delivers: every interleaving has to obey the
/// grammar. Under ThreadSanitizer this is also the test that nothing is shared without order.
@Suite("Timed operators among threads") struct TimedStressTests {
  private struct Problem: Error {}

  private final class Token: Sendable {}

  private typealias Operate =
    @Sendable (SignalProducer<Int, Problem>, QueueScheduler) -> SignalProducer<Int, Problem>

  private struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let operate: Operate

    init(_ name: String, _ operate: @escaping Operate) {
      testDescription = name
      self.operate = operate
    }

    /// Whether its values are those of its input.
    var isOrdered: Bool { !["collect", "timeout", "start(on:)"].contains(testDescription) }
  }

  private static let cases = [
    Case("observe(on:)") { $0.observe(on: $1) },
    Case("start(on:)") { $0.start(on: $1) },
    Case("delay") { $0.delay(.microseconds(50), on: $1) },
    Case("debounce") { $0.debounce(.microseconds(20), on: $1) },
    Case("debounce, flushing") {
      $0.debounce(.microseconds(20), on: $1, discardWhenCompleted: false)
    },
    Case("debounce, some values") { $0.debounce(.microseconds(20), on: $1) { $0 % 3 == 0 } },
    Case("throttle") { $0.throttle(.microseconds(20), on: $1) },
    Case("throttle while") { $0.throttle(while: flicker, on: $1) },
    Case("collect") {
      $0.collect(every: .microseconds(50), on: $1, discardWhenCompleted: false).map(\.count)
    },
    Case("lazyMap") { $0.lazyMap(on: $1) { $0 } },
    Case("timeout") { $0.timeout(after: .microseconds(200), raising: Problem(), on: $1) },
  ]

  private static let flicker = SignalProducer<Int, Never>
    .interval(.microseconds(30), on: QueueScheduler(name: "flicker")).map { $0 % 2 == 0 }

  /// What an observer saw; it checks at each event that it is alone.
  private final class Spectator: Sendable {
    private struct State {
      var isInside = false
      var overlaps = 0
      var values: [Int] = []
      var ends = 0
      var afterEnd = 0
    }

    private let state = Box(State())
    let ended = DispatchSemaphore(value: 0)

    func note(_ event: Event<Int, Problem>) {
      state.change {
        if $0.isInside { $0.overlaps += 1 }
        $0.isInside = true
        if $0.ends > 0 { $0.afterEnd += 1 }
      }
      state.change {
        if let value = event.value { $0.values.append(value) } else { $0.ends += 1 }
        $0.isInside = false
      }
      if event.isTerminating { ended.signal() }
    }

    /// Whether everything was in order, after the end.
    var isContent: Bool {
      let state = state.value
      return state.overlaps == 0 && state.ends == 1 && state.afterEnd == 0
    }

    var values: [Int] { state.value.values }
  }

  @Test(
    "E6: events are serial and end once, whoever sends, ends and disposes when",
    arguments: cases)
  private func grammar(_ subject: Case) {
    let queue = QueueScheduler(name: "stress")
    for round in 0..<100 {
      let (signal, input) = Signal<Int, Problem>.pipe()
      let spectator = Spectator()
      let disposable = subject.operate(SignalProducer(signal), queue).start { spectator.note($0) }
      onThreads(3) { index in
        switch index {
        case 0, 1: for value in 0..<50 { input.send(value: value) }
        default:
          for _ in 0..<(round * 5) { _ = spectator.values.count }
          switch round % 4 {
          case 0: input.send(error: Problem())
          case 1: input.sendCompleted()
          case 2: input.sendInterrupted()
          default: disposable.dispose()
          }
        }
      }
      spectator.ended.waitInTime()
      disposable.dispose()
      queue.queue.sync {}
      #expect(spectator.isContent)
    }
  }

  @Test("E11: what one thread sends keeps its order", arguments: cases.filter { $0.isOrdered })
  private func order(_ subject: Case) {
    let queue = QueueScheduler(name: "order")
    for _ in 0..<20 {
      let (signal, input) = Signal<Int, Problem>.pipe()
      let spectator = Spectator()
      subject.operate(SignalProducer(signal), queue).start { spectator.note($0) }
      onThreads(1) { _ in
        for value in 0..<500 { input.send(value: value) }
        input.sendCompleted()
      }
      spectator.ended.waitInTime()
      #expect(spectator.isContent)
      let isOrdered = zip(spectator.values, spectator.values.dropFirst()).allSatisfy { $0 < $1 }
      #expect(isOrdered)
    }
  }

  // The condition's timer is on a queue of its own, and may be in the middle of a tick.
  @Test(
    "P5: a start that has been disposed of holds no value",
    arguments: cases.filter { $0.testDescription != "throttle while" })
  private func release(_ subject: Case) {
    let queue = QueueScheduler(name: "release")
    for _ in 0..<20 {
      let (signal, input) = Signal<Int, Problem>.pipe()
      weak let reference = {
        let token = Token()
        let held = SignalProducer(signal).map { value in withExtendedLifetime(token) { value } }
        let disposable = subject.operate(held, queue).start { _ in }
        for value in 0..<20 { input.send(value: value) }
        disposable.dispose()
        return token
      }()
      // The first time what is under way, the second time the interruption that follows it.
      for _ in 0..<2 { queue.queue.sync {} }
      #expect(reference == nil)
    }
  }
}
