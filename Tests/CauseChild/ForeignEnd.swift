import Dispatch
import Foundation
import Varve

/// An observation is ended, and a stream completed, by a thread that finds the stream busy with
/// another's value: the busy thread does it, but not of its own.
@Sendable func foreignEnd() {
  let (busy, busyInput) = Signal<Int, Never>.pipe(named: "busy")
  let (killer, killerInput) = Signal<Int, Never>.pipe(named: "killer")
  let (inside, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  busy.observeValues { _ in
    inside.signal()
    left.wait()
  }
  let victim = busy.map { $0 }.observeValues { _ in }
  killer.observeValues { value in
    if value == 1 { victim?.dispose() } else { busyInput.sendCompleted() }
  }
  for value in 1...2 {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      busyInput.send(value: value)
      done.signal()
    }
    inside.wait()
    killerInput.send(value: value)
    left.signal()
    done.wait()
  }
}

/// A producer fails on another thread while it is being started, and is started again by the thread that
/// did that.
@Sendable func foreignRestart() {
  let (failures, input) = Signal<Int, Never>.pipe(named: "failures")
  let rounds = MutableProperty(0, named: "rounds")
  SignalProducer<Int, ForeignFailure> { observer, _ in
    let round = rounds.modify { rounds in
      rounds += 1
      return rounds
    }
    guard round == 1 else { return observer.send(value: round) }
    let done = DispatchSemaphore(value: 0)
    failures.take(first: 1).observeValues { _ in observer.send(error: ForeignFailure()) }
    Thread.detachNewThread {
      input.send(value: 1)
      done.signal()
    }
    done.wait()
  }
  .retry(upTo: 1).start()
}

private struct ForeignFailure: Error {}
