import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// Properties, replayed runs, inner streams and recordings among threads.
@Suite struct SharingStressTests {
  @Test("Y1, Y7: properties are read, changed and observed at once, and no change is lost")
  func properties() {
    let property = MutableProperty(0)
    let witness = Witness<Int>()
    property.signal.observe { witness.note($0) }
    let highest = Box(0)
    let latecomers = Box<[Witness<Int>]>([])
    onThreads(4) { index in
      for _ in 0..<500 {
        switch index {
        case 0, 1:
          property.modify { number in
            let old = number
            // Another thread gets every chance to change it meanwhile.
            relax()
            number = old + 1
          }
        case 2: highest.change { $0 = max($0, property.value) }
        default:
          let late = Witness<Int>()
          property.producer.start { late.note($0) }.dispose()
          latecomers.append(late)
        }
      }
    }
    #expect(property.value == 1_000)
    #expect(witness.count == 1_000)
    #expect(witness.complaints == [])
    #expect(highest.value <= 1_000)
    // Not sooner: where another thread was delivering, it may have been at it still, and it was that
    // one's to tell the interruption.
    #expect(latecomers.value.allSatisfy { $0.count >= 1 && $0.ends == 1 && $0.complaints == [] })
  }

  @Test("T3: streams go while a recording that begins asks for those that live")
  func living() {
    let isDone = Box(false)
    onThreads(2) { index in
      guard index == 0 else {
        while !isDone.value { _ = Signal<Int, Never>.pipe(named: "goes at once") }
        return
      }
      // The list is as long as the streams of all tests that run beside this one.
      let enough = ContinuousClock.now + .seconds(4)
      for _ in 0..<2_000 where ContinuousClock.now < enough { _ = Probe.liveStreams() }
      isDone.set(true)
    }
  }

  @Test("L2, L3: a replayed run is joined, left and fed at once: no gap, no double")
  func replay() {
    for _ in 0..<50 {
      let (output, input) = Signal<Int, Never>.pipe()
      let replayed = output.producer.replayLazily(upTo: .max)
      let first = replayed.start()
      let lists = Box<[[Int]]>([])
      onThreads(4) { index in
        if index == 0 {
          for value in 0..<100 { input.send(value: value) }
          return input.sendCompleted()
        }
        for round in 0..<10 {
          let seen = Seen()
          let run = replayed.start { seen.note($0) }
          if round % 2 == 0 { run.dispose() }
          seen.runs = run
          lists.append([])
          if round == 9 { replayed.collect().startWithValues { list in lists.append(list) } }
        }
      }
      let whole = lists.value.filter { !$0.isEmpty }
      #expect(whole.count == 3)
      #expect(whole.allSatisfy { $0 == Array(0..<100) })
      #expect(first.isDisposed)
    }
  }

  /// Keeps a run and the values that it sent.
  private final class Seen: @unchecked Sendable {
    // Safety: a run's deliveries are serial.
    private(set) var values: [Int] = []
    var runs: (any Disposable)?

    func note(_ event: Event<Int, Never>) { if let value = event.value { values.append(value) } }
  }

  @Test("E6, H12: inner streams send, end and replace each other from several threads")
  func inners() {
    for strategy in [FlattenStrategy.merge, .latest, .race, .throttle, .concurrent(limit: 2)] {
      for _ in 0..<20 {
        let (outer, outerInput) = Signal<SignalProducer<Int, Never>, Never>.pipe()
        let pipes = (0..<4).map { _ in Signal<Int, Never>.pipe() }
        let witness = Witness<Int>()
        let run = outer.producer.flatten(strategy).start { witness.note($0) }
        onThreads(5) { index in
          if index == 4 {
            for pipe in pipes { outerInput.send(value: pipe.output.producer.map { $0 }) }
            return outerInput.sendCompleted()
          }
          for value in 0..<50 { pipes[index].input.send(value: value) }
          pipes[index].input.sendCompleted()
        }
        run.dispose()
        #expect(witness.ends == 1)
        #expect(witness.complaints == [])
      }
    }
  }

  @Test("P5: runs are disposed of by several threads while they start and end")
  func runs() {
    for round in 0..<200 {
      let cleaned = Box(0)
      let witness = Witness<Int>()
      let producer = SignalProducer<Int, Never> { observer, lifetime in
        lifetime.observeEnded { cleaned.change { $0 += 1 } }
        for value in 0..<10 where !lifetime.hasEnded { observer.send(value: value) }
        if round % 2 == 0 { observer.sendCompleted() }
        lifetime.observeEnded { withExtendedLifetime(observer) {} }
      }
      let handed = Box<(any Disposable)?>(nil)
      onThreads(2) { index in
        if index == 0 {
          producer.map { $0 }.startWithSignal { signal, run in
            signal.observe { witness.note($0) }
            handed.set(run)
          }
        } else {
          while handed.value == nil { relax() }
          handed.value?.dispose()
        }
      }
      #expect(cleaned.value <= 1)
      #expect(witness.ends == 1)
      #expect(witness.complaints == [])
    }
  }

  @Test("T2, T9: recordings begin and end while threads send: nothing is lost or doubled")
  func recording() async {
    let (output, input) = Signal<Int, Never>.pipe(named: "stress")
    let witness = Witness<Int>()
    let hopped = Witness<Int>()
    let queue = QueueScheduler(name: "stress")
    output.map { $0 + 1 }.filter { $0 > 0 }.observe { witness.note($0) }
    output.observe(on: queue).observe { hopped.note($0) }
    let senders = Flag()
    inBackground {
      onThreads(3) { _ in
        for value in 0..<2_000 { input.send(value: value) }
      }
      input.sendCompleted()
      senders.raise()
    }
    while !senders.isRaised {
      await ProbeRig.record { _ in
        for _ in 0..<50 { relax() }
      }
    }
    queue.queue.sync {}
    #expect(witness.count == 6_000)
    #expect(hopped.count == 6_000)
    #expect(witness.ends + hopped.ends == 2)
    #expect(witness.complaints + hopped.complaints == [])
  }
}
