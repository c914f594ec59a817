import Testing
import VarveReactive
import VarveTestRig

/// Threads that send, observe, detach, end and let go at once. Under ThreadSanitizer
/// (`Tools/check --thorough`) these tests also prove that nothing is shared without order.
@Suite struct SignalStressTests {
  @Test("E6, E11: many senders, one observer that has no lock")
  func senders() {
    let (output, input) = Signal<Int, Never>.pipe()
    let witness = Witness<Int>()
    output.map { $0 + 1 }.filter { $0 > 0 }.observe { witness.note($0) }
    onThreads(4) { _ in
      for value in 0..<5_000 { input.send(value: value) }
    }
    input.sendCompleted()
    #expect(witness.count == 20_000)
    #expect(witness.ends == 1)
    #expect(witness.complaints == [])
  }

  @Test("E2, E6, S5: ends that race with values come once, beside none, and with nothing after")
  func ends() {
    for round in 0..<200 {
      let (output, input) = Signal<Int, Never>.pipe()
      let witness = Witness<Int>()
      output.observe { witness.note($0) }
      onThreads(3) { index in
        for value in 0..<50 {
          if index == 0, value == round % 50 { input.sendCompleted() }
          if index == 1, value == round % 40 { input.sendInterrupted() }
          input.send(value: value)
        }
      }
      #expect(witness.ends == 1)
      #expect(witness.complaints == [])
    }
  }

  @Test("S3, S7: observers come and go while others send; who has gone hears nothing more")
  func comingAndGoing() {
    let (output, input) = Signal<Int, Never>.pipe()
    let late = Box(0)
    let constant = Witness<Int>()
    output.observe { constant.note($0) }
    onThreads(4) { index in
      if index < 2 {
        for value in 0..<3_000 { input.send(value: value) }
        return
      }
      for _ in 0..<1_000 {
        let witness = Witness<Int>()
        let observation = output.map { $0 }.observe { witness.note($0) }
        relax()
        observation?.dispose()
        // No event whose send begins after this may come; one in progress may still.
        let own = Signal<Int, Never>.pipe()
        let detached = own.output.observeValues { _ in late.change { $0 += 1 } }
        detached?.dispose()
        own.input.send(value: 1)
      }
    }
    #expect(late.value == 0)
    #expect(constant.count == 6_000)
    #expect(constant.complaints == [])
  }

  @Test("S7, P4: a delivery disposes of itself and of others while other threads send")
  func disposalDuringDelivery() {
    for _ in 0..<100 {
      let (output, input) = Signal<Int, Never>.pipe()
      let disposables = CompositeDisposable()
      let witness = Witness<Int> { if $0 == 20 { disposables.dispose() } }
      for _ in 0..<3 { disposables += output.observe { _ in } }
      disposables += output.producer.map { $0 }.start { witness.note($0) }
      onThreads(2) { _ in
        for value in 0..<40 { input.send(value: value) }
      }
      #expect(witness.ends == 1)
      #expect(witness.complaints == [])
    }
  }

  @Test("S4: signals and inputs are let go while others send and observe")
  func lettingGo() {
    let disposed = Box(0)
    for _ in 0..<300 {
      let token = AnyDisposable { disposed.change { $0 += 1 } }
      var ends: (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)? =
        Signal<Int, Never>.pipe(disposable: token)
      let output = Box(ends?.output)
      let input = Box(ends?.input)
      ends = nil
      onThreads(3) { index in
        switch index {
        case 0: for value in 0..<20 { input.value?.send(value: value) }
        case 1: for _ in 0..<5 { output.value?.map { $0 }.observe { _ in } }
        default:
          relax()
          output.set(nil)
          input.set(nil)
        }
      }
    }
    #expect(disposed.value == 300)
  }

  @Test("E6: streams of several inputs take values, ends and disposal from all sides")
  func joined() {
    for _ in 0..<50 {
      let pipes = (0..<3).map { _ in Signal<Int, Never>.pipe() }
      let merged = Witness<Int>()
      let latest = Witness<[Int]>()
      let zipped = Witness<[Int]>()
      let signals = pipes.map(\.output)
      Signal.merge(signals).observe { merged.note($0) }
      Signal.combineLatest(signals).observe { latest.note($0) }
      let run = SignalProducer.zip(signals.map(\.producer)).start { zipped.note($0) }
      onThreads(4) { index in
        guard index < 3 else { return run.dispose() }
        for value in 0..<100 { pipes[index].input.send(value: value) }
        pipes[index].input.sendCompleted()
      }
      #expect(merged.count == 300)
      #expect([merged.ends, latest.ends, zipped.ends] == [1, 1, 1])
      #expect(merged.complaints + latest.complaints + zipped.complaints == [])
    }
  }

  @Test("E14: signals that feed each other through queued pipes neither hang nor lose a value")
  func feedingEachOther() {
    let (left, leftInput) = Signal<Int, Never>.queuedPipe()
    let (right, rightInput) = Signal<Int, Never>.pipe()
    let scheduler = QueueScheduler(name: "back")
    let bounces = Witness<Int>()
    let done = Flag()
    // Right goes back to left on a queue: the circle of streams is no circle of waits.
    left.filter { $0 > 0 }.observeValues { rightInput.send(value: $0 - 1) }
    right.observe(on: scheduler).observeValues { leftInput.send(value: $0) }
    left.observe { bounces.note($0) }
    left.filter { $0 == 0 }.collect(count: 8).observeValues { _ in done.raise() }
    onThreads(4) { _ in
      for _ in 0..<2 { leftInput.send(value: 50) }
    }
    done.wait()
    #expect(bounces.count == 8 * 51)
    #expect(bounces.complaints == [])
  }
}
