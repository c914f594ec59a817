import Testing
import VarveReactive
import VarveTestRig

@Suite struct AsyncProducerTests {
  private func events<Value: Sendable, Failure>(
    _ producer: SignalProducer<Value, Failure>
  ) async -> [String] {
    var seen: [String] = []
    for await event in producer.materialize().values(buffering: .unbounded) {
      seen.append("\(event)")
    }
    return seen
  }

  @Test func `an asynchronous function makes a producer of what it returns`() async {
    let producer = SignalProducer<Int, Never> {
      await Task.yield()
      return 7
    }
    #expect(await events(producer) == ["VALUE 7", "COMPLETED"])
    #expect(producer.description.hasPrefix("task@AsyncProducerTests.swift:"))
  }

  @Test func `or of what it throws`() async {
    let untyped = SignalProducer<Int, any Error> {
      await Task.yield()
      throw TestFailure()
    }
    #expect(await events(untyped) == ["FAILED TestFailure()"])
    let typed = SignalProducer<Int, TestFailure> { () async throws(TestFailure) -> Int in
      throw TestFailure()
    }
    #expect(await events(typed) == ["FAILED TestFailure()"])
  }

  @Test("P1: each start runs the function once more, and describing it does not")
  func starts() async {
    let count = Box(0)
    let producer = SignalProducer<Int, Never> {
      await Task.yield()
      return count.change { count in
        count += 1
        return count
      }
    }
    #expect(!"\(producer)".isEmpty)
    #expect(await events(producer) == ["VALUE 1", "COMPLETED"])
    #expect(await events(producer) == ["VALUE 2", "COMPLETED"])
  }

  @Test("P5: disposing of the start cancels the task")
  func disposal() async {
    let isRunning = Flag()
    let wasCancelled = Flag()
    let log = Box<[Event<Int, Never>]>([])
    let run = SignalProducer<Int, Never> {
      isRunning.raise()
      while !Task.isCancelled { await Task.yield() }
      wasCancelled.raise()
      return 1
    }.start { log.append($0) }
    while !isRunning.isRaised { await Task.yield() }
    run.dispose()
    while !wasCancelled.isRaised { await Task.yield() }
    #expect(log.value == [.interrupted])
  }

  @Test("E5: a task that is cancelled from inside interrupts the start")
  func cancelled() async {
    let producer = SignalProducer<Int, any Error> {
      await Task.yield()
      throw CancellationError()
    }
    #expect(await events(producer) == ["INTERRUPTED"])
  }

  @Test func `an asynchronous sequence makes a producer of its elements`() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    for value in 1...3 { continuation.yield(value) }
    continuation.finish()
    let producer = SignalProducer<Int, Never>(stream)
    #expect(await events(producer) == ["VALUE 1", "VALUE 2", "VALUE 3", "COMPLETED"])
  }

  @Test func `and of its failure`() async {
    let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    continuation.yield(1)
    continuation.finish(throwing: TestFailure())
    let producer = SignalProducer<Int, any Error>(stream)
    #expect(await events(producer) == ["VALUE 1", "FAILED TestFailure()"])
  }

  @Test func `the next element is asked for when the observers of the one before have run`() async {
    let log = Box<[String]>([])
    let elements = Asked { count in
      log.append("asked \(count)")
      return count <= 2 ? count : nil
    }
    let producer = SignalProducer<Int, Never>(elements).on(value: { log.append("seen \($0)") })
    #expect(await events(producer).last == "COMPLETED")
    #expect(log.value == ["asked 1", "seen 1", "asked 2", "seen 2", "asked 3"])
  }

  @Test("P6: a producer whose values nobody can receive any more asks for no further element")
  func enough() async {
    let asked = Box(0)
    let elements = Asked { count in
      asked.set(count)
      return count
    }
    let producer = SignalProducer<Int, Never>(elements).take(first: 2)
    #expect(await events(producer) == ["VALUE 1", "VALUE 2", "COMPLETED"])
    for _ in 0..<100 { await Task.yield() }
    #expect(asked.value == 2)
  }

  @Test func `there and back again`() async {
    let values = SignalProducer<Int, Never>(
      SignalProducer<Int, Never>([1, 2]).values(buffering: .unbounded)
    ).values(buffering: .unbounded)
    var read: [Int] = []
    for await value in values { read.append(value) }
    #expect(read == [1, 2])
  }
}

/// An asynchronous sequence that says when it is asked.
private struct Asked: AsyncSequence, Sendable {
  let element: @Sendable (Int) -> Int?

  func makeAsyncIterator() -> Iterator { Iterator(element: element) }

  struct Iterator: AsyncIteratorProtocol {
    let element: @Sendable (Int) -> Int?
    var count = 0

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      count += 1
      return element(count)
    }
  }
}
