import Testing
import VarveReactive
import VarveTestRig

@Suite struct ConcurrencyLimitTests {
  /// A producer that counts how many of its kind run.
  private static func counted(
    _ running: Box<(now: Int, most: Int)>, _ started: Box<[Int]>, _ number: Int,
    _ signal: Signal<Int, Never>
  ) -> SignalProducer<Int, Never> {
    SignalProducer<Int, Never> { observer, lifetime in
      started.append(number)
      running.change {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      // It has run when it says so; its clean-up comes after whatever its end leads to.
      let work = AnyDisposable { running.change { $0.now -= 1 } }
      lifetime += work
      lifetime += signal.observe { event in
        if event.isTerminating { work.dispose() }
        observer.send(event)
      }
    }
  }

  @Test("H12: at most n inner producers run, the others wait in order", arguments: [1, 2, 3, 7])
  func limited(_ limit: UInt) {
    let pipes = (0..<7).map { _ in Signal<Int, Never>.pipe() }
    let running = Box((now: 0, most: 0))
    let started = Box<[Int]>([])
    let seen = Box<[Event<Int, Never>]>([])
    SignalProducer<Int, Never>(0..<7)
      .flatMap(.concurrent(limit: limit)) { Self.counted(running, started, $0, pipes[$0].output) }
      .start { seen.append($0) }
    #expect(started.value == Array(0..<Int(limit)))
    // They end in another order than they began.
    for number in [0, 2, 1, 4, 3, 6, 5] where started.value.contains(number) {
      pipes[number].input.send(value: number)
      pipes[number].input.sendCompleted()
    }
    for (_, input) in pipes { input.sendCompleted() }
    #expect(started.value == Array(0..<7))
    #expect(running.value.most == Int(limit))
    #expect(running.value.now == 0)
    #expect(seen.value.last == .completed)
  }

  @Test("H12: the limit holds while inner producers end on several threads")
  func amongThreads() {
    let running = Box((now: 0, most: 0))
    let total = Box(0)
    let (limitIsReached, done) = (Flag(), Flag())
    let queues = (0..<4).map { QueueScheduler(name: "worker \($0)") }
    SignalProducer<Int, Never>(0..<400)
      .flatMap(.concurrent(limit: 3)) { number in
        SignalProducer<Int, Never> { observer, lifetime in
          running.change {
            $0.now += 1
            $0.most = max($0.most, $0.now)
            if $0.most == 3 { limitIsReached.raise() }
          }
          queues[number % 4].schedule {
            // On a busy machine each might end before the next is started.
            if number < 3 { _ = limitIsReached.isRaisedInTime() }
            observer.send(value: 1)
            running.change { $0.now -= 1 }
            observer.sendCompleted()
          }
        }
      }
      .start { event in
        if case .value = event { total.change { $0 += 1 } } else { done.raise() }
      }
    done.wait()
    #expect(total.value == 400)
    #expect(running.value.most == 3)
  }

  @Test("H12: an inner stream that is interrupted makes room; disposal starts none that waits")
  func roomAndDisposal() {
    let pipes = (0..<4).map { _ in Signal<Int, Never>.pipe() }
    let running = Box((now: 0, most: 0))
    let started = Box<[Int]>([])
    let run = SignalProducer<Int, Never>(0..<4)
      .flatMap(.concurrent(limit: 1)) { Self.counted(running, started, $0, pipes[$0].output) }
      .start()
    pipes[0].input.sendInterrupted()
    #expect(started.value == [0, 1])
    run.dispose()
    #expect(started.value == [0, 1])
    #expect(running.value.now == 0)
  }

  @Test("H12: an inner producer that has ended is let go while others wait behind it")
  func endedIsLetGo() {
    let pipes = (0..<6).map { _ in Signal<Int, Never>.pipe() }
    let probes = Box<[WeakProbe]>([])
    let run = SignalProducer<Int, Never>(0..<6).flatMap(.concat) { number in
      let token = Token()
      probes.append(WeakProbe(token))
      return SignalProducer(pipes[number].output).map { value in
        withExtendedLifetime(token) { value }
      }
    }.start()
    #expect(probes.value.allSatisfy { $0.isHeld })
    for number in 0..<3 {
      pipes[number].input.sendCompleted()
      #expect(probes.value.map(\.isHeld) == (0..<6).map { $0 > number })
    }
    run.dispose()
    #expect(!probes.value.contains { $0.isHeld })
  }

  /// Does something when it goes.
  private final class Farewell: Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) { self.action = action }

    deinit { action() }
  }

  @Test("H12: what waits, or has waited, may send to the outer stream when it is let go")
  func farewell() {
    let outer = Signal<Int, Never>.pipe()
    let pipes = (0..<4).map { _ in Signal<Int, Never>.pipe() }
    let gone = Box<[Int]>([])
    let run = SignalProducer(outer.output).flatMap(.concat) { number in
      guard number < 4 else { return SignalProducer<Int, Never>.empty }
      let farewell = Farewell {
        gone.append(number)
        outer.input.send(value: 4)
      }
      return SignalProducer(pipes[number].output).map { value in
        withExtendedLifetime(farewell) { value }
      }
    }.start()
    for number in 0..<4 { outer.input.send(value: number) }
    for number in 0..<3 { pipes[number].input.sendCompleted() }
    #expect(gone.value == [0, 1, 2])
    outer.input.send(value: 3)
    run.dispose()
    #expect(gone.value == [0, 1, 2, 3, 3])
  }
}
