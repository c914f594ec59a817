import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

@Suite struct ListProducerTests {
  @Test("L5: a list turns into a producer, which computes nothing twice")
  func producer() {
    let computed = Box(0)
    let list = LazyList(1...3).map { value in
      computed.change { $0 += 1 }
      return value
    }
    #expect(computed.value == 0)
    #expect(marbles(list.producer) == "1 2 3 |")
    #expect(marbles(list.producer) == "1 2 3 |")
    #expect(computed.value == 3)
  }

  @Test("L5: it is read no further than somebody listens")
  func noFurther() {
    let computed = Box(0)
    let list = LazyList(1...).map { value in
      computed.change { $0 += 1 }
      return value
    }
    #expect(marbles(list.producer.take(first: 2)) == "1 2 |")
    #expect(computed.value == 2)
  }

  @Test("L5: on a scheduler, with a turn for each element")
  func scheduled() {
    let scheduler = TestScheduler()
    let log = Box<[String]>([])
    let producer = LazyList([1, 2]).named("numbers").producer(on: scheduler)
    producer.start { log.append("\($0)") }
    #expect(log.value == [])
    scheduler.advance()
    #expect(log.value == ["VALUE 1", "VALUE 2", "COMPLETED"])
    #expect(producer.description == "numbers.producer(on: \(scheduler))")
    #expect(producer.bracketDescription == "[numbers] -signalWithScheduler: \(scheduler)")
  }

  @Test("L5: disposing of the start stops the reading")
  func disposal() {
    let queue = QueueScheduler(name: "list")
    let read = Box(0)
    let list = LazyList(1...).map { value in
      read.change { $0 += 1 }
      return value
    }
    let seen = Flag()
    let ended = Flag()
    let run = list.producer(on: queue).start { event in
      switch event {
      case .value(let value): if value == 3 { seen.raise() }
      case .interrupted: ended.raise()
      case .failed, .completed: break
      }
    }
    seen.wait()
    run.dispose()
    ended.wait()
    let idle = Flag()
    queue.schedule { idle.raise() }
    idle.wait()
    let count = read.value
    queue.queue.sync {}
    #expect(read.value == count)
  }

  @Test("L5: a producer's values can be read as a list, and the reader waits for them")
  func list() {
    let starts = Box(0)
    let input = Box<Signal<Int, Never>.Observer?>(nil)
    let isStarted = Flag()
    let list = SignalProducer<Int, Never> { observer, _ in
      starts.change { $0 += 1 }
      input.set(observer)
      isStarted.raise()
    }.list
    #expect(starts.value == 0)
    inBackground {
      isStarted.wait()
      for value in 1...3 { input.value?.send(value: value) }
      input.value?.sendCompleted()
    }
    #expect(Array(list) == [1, 2, 3])
    #expect(Array(list) == [1, 2, 3])
    #expect(starts.value == 1)
  }

  @Test("L5: when the list goes, the start that it reads is disposed of")
  func released() {
    let ended = Box(false)
    var list: LazyList<Int>? = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded {
        ended.set(true)
        withExtendedLifetime(observer) {}
      }
      observer.send(value: 1)
    }.list
    #expect(list?.head == 1)
    #expect(!ended.value)
    list = nil
    #expect(ended.value)
    withExtendedLifetime(list) {}
  }

  @Test("L5: what was read from a list, and is held by nobody, is let go while more waits")
  func readIsLetGo() {
    let probes = Box<[WeakProbe]>([])
    let producer = SignalProducer<Token, Never> { observer, _ in
      for _ in 0..<6 {
        let token = Token()
        probes.append(WeakProbe(token))
        observer.send(value: token)
      }
      observer.sendCompleted()
    }
    var iterator = producer.list.makeIterator()
    for _ in 0..<3 { _ = iterator.next() }
    #expect(probes.value.map(\.isHeld).suffix(3) == [true, true, true])
    #expect(probes.value.map(\.isHeld).prefix(2) == [false, false])
  }

  @Test("L5: there and back again")
  func roundTrip() {
    #expect(Array(LazyList(1...3).producer.list) == [1, 2, 3])
    #expect(Array(LazyList(1...3).producer(on: QueueScheduler()).list) == [1, 2, 3])
    #expect(SignalProducer<Int, Never>.never.named("s").list.bracketDescription == "[s] -sequence")
    #expect(LazyList([1]).named("l").producer.bracketDescription == "[l] -signal")
    let list = LazyList<Int>(head: { 1 }, tail: { .empty })
    #expect(list.bracketDescription == "+sequenceWithHeadBlock:tailBlock:")
  }
}
