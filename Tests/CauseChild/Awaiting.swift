import Dispatch
import Foundation
import Varve

/// Tasks that await values of streams, and send what they make of them into others: side by side, on
/// whatever threads, some by way of an actor, some after a sleep; beside them tasks that await nothing.
@Sendable func awaiting() {
  let count = 8
  let sources = (0..<count).map { Signal<Lineage, Never>.pipe(named: "source.\($0)") }
  let (results, result) = Signal<Lineage, Never>.queuedPipe(named: "results")
  let (firsts, first) = Signal<Lineage, Never>.queuedPipe(named: "firsts")
  let (ends, end) = Signal<Int, Never>.queuedPipe(named: "ends")
  let (strangers, stranger) = Signal<Int, Never>.queuedPipe(named: "strangers")
  for signal in [results, firsts] { signal.observeValues { _ in } }
  for signal in [ends, strangers] { signal.observeValues { _ in } }
  let finished = DispatchGroup()
  let desk = Desk()

  for (number, source) in sources.enumerated() {
    // Observed before anything is sent.
    let values = source.output.values(buffering: .unbounded)
    finished.enter()
    Task {
      for await value in values {
        if number % 2 == 0 { await desk.pass() }
        if number % 3 == 0 { try? await Task.sleep(nanoseconds: 100_000) }
        result.send(value: value)
      }
      end.send(value: number)
      finished.leave()
    }
    finished.enter()
    let one = source.output.take(first: 1).values(buffering: .unbounded)
    Task {
      var iterator = one.makeAsyncIterator()
      if let value = await iterator.next() { first.send(value: value) }
      finished.leave()
    }
    finished.enter()
    Task {
      for turn in 0..<50 {
        stranger.send(value: turn)
        await Task.yield()
      }
      finished.leave()
    }
  }
  for (number, source) in sources.enumerated() {
    finished.enter()
    Thread.detachNewThread {
      for turn in 0..<100 {
        source.input.send(value: Lineage([number * 1_000 + turn]))
        if turn % 16 == 0 { usleep(300) }
      }
      source.input.sendCompleted()
      finished.leave()
    }
  }
  finished.wait()
}

/// Where tasks leave their threads for a moment.
private actor Desk {
  func pass() {}
}

/// Several thousand tasks that have got their values before the first of them does anything.
@Sendable func crowd() {
  let count = 3_000
  let (results, result) = Signal<Lineage, Never>.queuedPipe(named: "results")
  results.observeValues { _ in }
  let (ready, done) = (DispatchGroup(), DispatchGroup())
  let hall = Hall()
  for number in 0..<count {
    let (source, input) = Signal<Lineage, Never>.pipe(named: "source.\(number)")
    let values = source.values(buffering: .unbounded)
    ready.enter()
    done.enter()
    Task {
      var iterator = values.makeAsyncIterator()
      guard let value = await iterator.next() else { return }
      await hall.wait { ready.leave() }
      result.send(value: value)
      done.leave()
    }
    input.send(value: Lineage([number]))
  }
  ready.wait()
  Task { await hall.open() }
  done.wait()
}

/// Where tasks wait for each other.
private actor Hall {
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func wait(_ isWaiting: () -> Void) async {
    await withCheckedContinuation { continuation in
      waiting.append(continuation)
      isWaiting()
    }
  }

  func open() {
    for each in waiting { each.resume() }
  }
}

/// A task is busy delivering the value that it awaited, when somebody outside completes the stream that
/// it is busy with: the task does it, but not because of its value.
@Sendable func busyTask() {
  let (source, input) = Signal<Int, Never>.pipe(named: "source.awaited")
  let (busy, busyInput) = Signal<Int, Never>.pipe(named: "busy")
  let (inside, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let done = DispatchSemaphore(value: 0)
  busy.observeValues { _ in
    inside.signal()
    left.wait()
  }
  let values = source.values(buffering: .unbounded)
  Task {
    for await value in values { busyInput.send(value: value) }
    done.signal()
  }
  input.send(value: 1)
  inside.wait()
  busyInput.sendCompleted()
  left.signal()
  input.sendCompleted()
  done.wait()
}

/// A producer that is made of an asynchronous function is started by an observer: what the function
/// sends goes back to that observer's value.
@Sendable func started() {
  let (keys, key) = Signal<Lineage, Never>.pipe(named: "source.keys")
  let (answers, answer) = Signal<Lineage, Never>.queuedPipe(named: "answers")
  answers.observeValues { _ in }
  let finished = DispatchGroup()
  keys.observeValues { value in
    finished.enter()
    SignalProducer<Lineage, Never> {
      await Task.yield()
      return value
    }.startWithValues {
      answer.send(value: $0)
      finished.leave()
    }
  }
  for turn in 0..<50 { key.send(value: Lineage([turn])) }
  finished.wait()
}
