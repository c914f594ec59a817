import Synchronization
import Testing
import VarveReactive
import VarveTestRig

@Suite struct SerialityTests {
  /// Notices when it is entered twice at the same time.
  private final class Turnstile: Sendable {
    private let inside = Atomic<Int>(0)
    private let crowds = Atomic<Int>(0)

    func pass(_ body: () -> Void) {
      if inside.wrappingAdd(1, ordering: .relaxed).oldValue != 0 {
        crowds.wrappingAdd(1, ordering: .relaxed)
      }
      body()
      inside.wrappingSubtract(1, ordering: .relaxed)
    }

    var isUncrowded: Bool { crowds.load(ordering: .relaxed) == 0 }
  }

  /// Counts without a lock: right only when every call sees what the one before it wrote.
  private final class PlainCounter: @unchecked Sendable {
    // Safety: none; the tests prove that a serial stream needs none.
    var count = 0
    var last: [Int: Int] = [:]
  }

  private static let threads = 4
  private static let rounds = 2_000

  @Test("E6: an observer never runs twice at the same time, however many threads send")
  func oneAtATime() {
    let (output, input) = Signal<Int, Never>.pipe()
    let turnstile = Turnstile()
    let count = Box(0)
    output.map { $0 }.observeValues { _ in turnstile.pass { count.change { $0 += 1 } } }
    onThreads(Self.threads) { _ in
      for value in 0..<Self.rounds { input.send(value: value) }
    }
    #expect(turnstile.isUncrowded)
    #expect(count.value == Self.threads * Self.rounds)
  }

  @Test("E6: streams that threads feed through different inputs are serial, too")
  func joinedInputs() {
    let pipes = (0..<Self.threads).map { _ in Signal<Int, Never>.pipe() }
    let turnstile = Turnstile()
    let counter = PlainCounter()
    Signal.merge(pipes.map(\.output)).observeValues { _ in
      turnstile.pass { counter.count += 1 }
    }
    let inputs = pipes.map(\.input)
    onThreads(Self.threads) { index in
      for value in 0..<Self.rounds { inputs[index].send(value: value) }
    }
    #expect(turnstile.isUncrowded)
    #expect(counter.count == Self.threads * Self.rounds)
  }

  @Test("E11: what one delivery wrote is visible in the next, on whatever thread, without a lock")
  func visible() {
    let (output, input) = Signal<(thread: Int, value: Int), Never>.pipe()
    let counter = PlainCounter()
    let disorders = Box(0)
    output.observeValues { thread, value in
      counter.count += 1
      if counter.last[thread, default: -1] != value - 1 { disorders.change { $0 += 1 } }
      counter.last[thread] = value
    }
    onThreads(Self.threads) { index in
      for value in 0..<Self.rounds { input.send(value: (index, value)) }
    }
    #expect(counter.count == Self.threads * Self.rounds)
    #expect(disorders.value == 0)
  }

  @Test("E11: consecutive events may come on different threads")
  func differentThreads() {
    let (output, input) = Signal<Int, Never>.pipe()
    let counter = PlainCounter()
    output.scan(0, +).observeValues { counter.count = $0 }
    for value in 1...10 { onThreads(1) { _ in input.send(value: value) } }
    #expect(counter.count == 55)
  }

  @Test("E6: a sender of a value waits its turn")
  func senderWaits() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[String]>([])
    let isInside = Flag()
    output.observeValues { value in
      log.append("begin \(value)")
      if value == 1 {
        isInside.raise()
        // Long enough for the other sender to come, were it let in.
        for _ in 0..<1_000 where log.value.count == 1 { relax() }
      }
      log.append("end \(value)")
    }
    onThreads(2) { index in
      if index == 0 {
        input.send(value: 1)
      } else {
        isInside.wait()
        input.send(value: 2)
        log.append("returned")
      }
    }
    #expect(log.value == ["begin 1", "end 1", "begin 2", "end 2", "returned"])
  }

  @Test("E6: a terminal event sent while another thread delivers returns at once, and comes next")
  func terminationDoesNotWait() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[String]>([])
    let (isInside, hasReturned) = (Flag(), Flag())
    output.observe { event in
      log.append(event.description)
      if event.value == 1 {
        isInside.raise()
        hasReturned.wait()
        log.append("end of 1")
      }
    }
    onThreads(2) { index in
      if index == 0 {
        input.send(value: 1)
        log.append("sent 1")
        input.send(value: 2)
      } else {
        isInside.wait()
        input.sendCompleted()
        log.append("sent completion")
        hasReturned.raise()
      }
    }
    #expect(
      log.value == ["VALUE 1", "sent completion", "end of 1", "COMPLETED", "sent 1"])
  }

  @Test("E6: a sender that waits gives up when the stream ends")
  func waitingSenderGivesUp() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[Event<Int, Never>]>([])
    let (isInside, mayEnd) = (Flag(), Flag())
    output.observe { event in
      log.append(event)
      if event.value == 1 {
        isInside.raise()
        mayEnd.wait()
        input.sendCompleted()
      }
    }
    onThreads(3) { index in
      switch index {
      case 0: input.send(value: 1)
      case 1:
        isInside.wait()
        input.send(value: 2)
      default:
        isInside.wait()
        for _ in 0..<1_000 { relax() }
        mayEnd.raise()
      }
    }
    #expect(log.value == [.value(1), .completed])
  }
}
