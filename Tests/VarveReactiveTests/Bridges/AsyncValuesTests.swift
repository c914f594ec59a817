import Testing
import VarveReactive
import VarveTestRig

@Suite struct AsyncValuesTests {
  /// Values that a loop reads until it ends.
  private func all<Value: Sendable, Failure>(
    _ values: AsyncValues<Value, Failure>
  ) async throws(Failure) -> [Value] {
    var read: [Value] = []
    var iterator = values.makeAsyncIterator()
    while let value = try await iterator.next() { read.append(value) }
    return read
  }

  @Test func `an await loop reads a producer's values, and its end ends the loop`() async {
    var read: [Int] = []
    for await value in SignalProducer<Int, Never>([1, 2, 3]).values(buffering: .unbounded) {
      read.append(value)
    }
    #expect(read == [1, 2, 3])
  }

  @Test func `each iterator is a start of its own, and begins when it is made`() async {
    let starts = Box(0)
    let values = SignalProducer<Int, Never>([1]).on(starting: { starts.change { $0 += 1 } }).values(
      buffering: .unbounded)
    #expect(starts.value == 0)
    #expect(await all(values) == [1])
    #expect(await all(values) == [1])
    #expect(starts.value == 2)
  }

  @Test func `a failure is thrown out of the loop after the values before it`() async {
    let producer = SignalProducer<Int, TestFailure>([1]).concat(error: TestFailure())
    var read: [Int] = []
    do throws(TestFailure) {
      for try await value in producer.values(buffering: .unbounded) { read.append(value) }
      Issue.record("nothing was thrown")
    } catch {
      #expect(error == TestFailure())
    }
    #expect(read == [1])
  }

  @Test func `an interruption ends the loop`() async {
    let producer = SignalProducer<Int, Never> { observer, _ in
      observer.send(value: 1)
      observer.sendInterrupted()
    }
    #expect(await all(producer.values(buffering: .unbounded)) == [1])
  }

  @Test func `a signal is observed at once, so that nothing is missed before the loop`() async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let values = signal.values(buffering: .unbounded)
    input.send(value: 1)
    input.send(value: 2)
    input.sendCompleted()
    #expect(await all(values) == [1, 2])
    #expect(await all(values) == [])
  }

  @Test func `a property's values are the latest one and the changes`() async {
    let property = MutableProperty(1)
    var iterator = property.values(buffering: .unbounded).makeAsyncIterator()
    property.value = 2
    #expect(await iterator.next() == 1)
    #expect(await iterator.next() == 2)
  }

  @Test func `buffering says what is kept of the values that come too fast`() async {
    func kept(_ buffering: AsyncBuffering) async -> [Int] {
      await all(SignalProducer<Int, Never>([1, 2, 3, 4]).values(buffering: buffering))
    }
    #expect(await kept(.unbounded) == [1, 2, 3, 4])
    #expect(await kept(.newest(1)) == [4])
    #expect(await kept(.newest(3)) == [2, 3, 4])
    #expect(await kept(.oldest(2)) == [1, 2])
  }

  @Test func `a loop that waits gets values as they come`() async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let reader = Task { [values = signal.values(buffering: .unbounded)] in await all(values) }
    for value in 1...100 {
      input.send(value: value)
      await Task.yield()
    }
    input.sendCompleted()
    #expect(await reader.value == Array(1...100))
  }

  @Test("P5: leaving the loop disposes of the start")
  func leaving() async {
    let ended = Box(false)
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded {
        ended.set(true)
        withExtendedLifetime(observer) {}
      }
      observer.send(value: 1)
    }
    for await _ in producer.values(buffering: .unbounded) { break }
    #expect(ended.value)
  }

  @Test("P5: cancelling the task disposes of the start, and the loop ends")
  func cancelling() async {
    let isReading = Flag()
    let ended = Box(false)
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded {
        ended.set(true)
        withExtendedLifetime(observer) {}
      }
      observer.send(value: 1)
    }
    let reader = Task {
      var read: [Int] = []
      for await value in producer.values(buffering: .unbounded) {
        read.append(value)
        isReading.raise()
      }
      return read
    }
    while !isReading.isRaised { await Task.yield() }
    reader.cancel()
    #expect(await reader.value == [1])
    #expect(ended.value)
  }

  @Test("S7: cancelling the task ceases to observe a signal")
  func cancellingSignal() async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let disposed = Flag()
    let reader = Task {
      await all(signal.on(disposed: { disposed.raise() }).values(buffering: .unbounded))
    }
    reader.cancel()
    #expect(await reader.value == [])
    input.send(value: 1)
    #expect(disposed.isRaised)
  }

  @Test func `a sequence that nobody iterates observes no longer than it is held`() {
    let (signal, _) = Signal<Int, Never>.pipe()
    let disposed = Flag()
    do { _ = signal.on(disposed: { disposed.raise() }).values(buffering: .unbounded) }
    #expect(disposed.isRaised)
  }

  @Test func `first waits for the first value and stops the work`() async throws {
    let ended = Box(false)
    let producer = SignalProducer<Int, TestFailure> { observer, lifetime in
      lifetime.observeEnded {
        ended.set(true)
        withExtendedLifetime(observer) {}
      }
      observer.send(value: 1)
      observer.send(value: 2)
    }
    #expect(try await producer.first() == 1)
    #expect(ended.value)
    #expect(try await SignalProducer<Int, TestFailure>.empty.first() == nil)
    await #expect(throws: TestFailure.self) {
      _ = try await SignalProducer<Int, TestFailure>(error: TestFailure()).first()
    }
  }

  /// What calls of `next` lead to.
  private func outcomes(
    _ count: Int, of iterator: inout AsyncValues<Int, TestFailure>.Iterator
  ) async -> [String] {
    var outcomes: [String] = []
    for _ in 0..<count {
      do throws(TestFailure) {
        outcomes.append(try await iterator.next().map { "\($0)" } ?? "nil")
      } catch {
        outcomes.append("failure")
      }
    }
    return outcomes
  }

  @Test func `after a failure was thrown, an iterator returns nil`() async {
    for isSignal in [false, true] {
      let (signal, input) = Signal<Int, TestFailure>.pipe()
      let values =
        isSignal
        ? signal.values(buffering: .unbounded)
        : SignalProducer(signal).values(buffering: .unbounded)
      var iterator = values.makeAsyncIterator()
      input.send(value: 1)
      input.send(error: TestFailure())
      #expect(await outcomes(4, of: &iterator) == ["1", "failure", "nil", "nil"])
    }
  }

  @Test func `after a failure that was waited for, an iterator returns nil`() async {
    let queue = QueueScheduler(name: "later")
    let producer = SignalProducer<Int, TestFailure>(error: TestFailure()).delay(
      .milliseconds(5), on: queue
    ).start(on: queue)
    var iterator = producer.values(buffering: .unbounded).makeAsyncIterator()
    #expect(await outcomes(3, of: &iterator) == ["failure", "nil", "nil"])
  }

  @Test func `what was read is let go at once, and so is what there is no room for`() async {
    for buffering in [AsyncBuffering.unbounded, .newest(2)] {
      let (signal, input) = Signal<Token, Never>.pipe()
      var iterator = signal.values(buffering: buffering).makeAsyncIterator()
      let probes = (0..<4).map { _ in
        let token = Token()
        input.send(value: token)
        return WeakProbe(token)
      }
      let isBounded = probes[0].isHeld == false
      #expect(probes.map(\.isHeld) == (0..<4).map { !isBounded || $0 >= 2 })
      _ = await iterator.next()
      let first = isBounded ? 2 : 0
      #expect(!probes[first].isHeld)
      #expect(probes[3].isHeld)
    }
  }

  @Test func `first of a signal waits for its next value`() async {
    let (signal, input) = Signal<Int, Never>.pipe()
    let isDone = Flag()
    let reader = Task {
      defer { isDone.raise() }
      return await signal.first()
    }
    // Whatever is sent before the task observes is not for it.
    while !isDone.isRaised {
      input.send(value: 7)
      await Task.yield()
    }
    #expect(await reader.value == 7)
  }

  @Test("T10: a trace tells which values there was no room for")
  func dropped() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "fast")
    let values = signal.values(buffering: .newest(1))
    let rig = await ProbeRig.record { _ in
      for value in 1...3 { input.send(value: value) }
    }
    let stream = try #require(rig.stream(named: "fast"))
    #expect(rig.records(.absorbed, of: stream.id).count == 2)
    withExtendedLifetime(values) {}
  }
}
