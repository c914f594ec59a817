import Dispatch
import Varve

/// A value is sent on a stream from inside its own delivery, which stops the program.
@Sendable func ownDelivery() {
  let (numbers, input) = Signal<Int, Never>.pipe(named: "numbers")
  numbers.map { $0 + 1 }.observeValues { input.send(value: $0) }  // comes back
  input.send(value: 1)  // began
}

/// A property is read while it is changed in place, which stops the program, too.
@Sendable func ownChange() {
  let total = MutableProperty(1, named: "total")
  total.modify { $0 += total.value }
}

/// Two queues give work to each other, two thousand times.
@Sendable func pingPong() {
  let queues = ["ping", "pong"].map { QueueScheduler(name: $0) }
  let done = DispatchSemaphore(value: 0)
  @Sendable func bounce(_ left: Int) {
    guard left > 0 else {
      done.signal()
      return
    }
    queues[left % 2].schedule { bounce(left - 1) }
  }
  bounce(2_000)
  done.wait()
}

/// One piece of work that asks for its next turn, two thousand times: no recursion, but a loop.
@Sendable func turns() {
  let queue = QueueScheduler(name: "turns")
  let done = DispatchSemaphore(value: 0)
  let left = Counter(2_000)
  queue.scheduleRecursively { again in
    if left.countDown() > 0 { again() } else { done.signal() }
  }
  done.wait()
}
