import Foundation
import VarveReactive

/// What the program can do, by name.
let plays: [String: @Sendable () -> Void] = [
  "direct": direct,
  "through": through,
  "second branch": secondBranch,
  "handler": handler,
  "circle": circle,
  "property circle": propertyCircle,
  "nested modify": nestedModify,
  "read in modify": readInModify,
  "costs": costs,
  "unrecorded": unrecorded,
]

/// Notes a line of this file under a name.
private func mark(_ what: String, _ line: Int) {
  print("\(what): Plays.swift:\(line)")
  fflush(nil)
}

/// A value sent on a signal by one of its observers.
@Sendable private func direct() {
  let (output, input) = Signal<Int, Never>.pipe(named: "numbers")
  mark("inner", #line + 2)
  output.observeValues { number in
    if number == 1 { input.send(value: number + 1) }
  }
  mark("outer", #line + 1)
  input.send(value: 1)
}

/// A value that comes back through other streams.
@Sendable private func through() {
  let (output, input) = Signal<Int, Never>.pipe(named: "numbers")
  let (other, otherInput) = Signal<Int, Never>.pipe(named: "others")
  mark("inner", #line + 3)
  Signal.merge(output.map { $0 * 2 }.filter { $0 > 0 }, other).named("both")
    .skipRepeats().observeValues { number in
      input.send(value: number + 1)
    }
  defer { otherInput.sendCompleted() }
  mark("outer", #line + 1)
  input.send(value: 1)
}

/// A value that comes back from the second of three observers.
@Sendable private func secondBranch() {
  let (output, input) = Signal<Int, Never>.pipe(named: "numbers")
  output.map { $0 + 1 }.named("first").observeValues { _ in }
  output.map { $0 + 2 }.named("second").observeValues { input.send(value: $0) }
  output.map { $0 + 3 }.named("third").observeValues { _ in }
  input.send(value: 1)
}

/// A value sent by a started producer's own observer.
@Sendable private func handler() {
  let inputs = Kept<Signal<Int, Never>.Observer>()
  let producer = SignalProducer<Int, Never> { observer, _ in
    inputs.keep(observer)
    observer.send(value: 1)
  }
  producer.named("work").map { $0 + 1 }.startWithValues { inputs.kept?.send(value: $0) }
}

/// Two signals that feed each other from two threads.
@Sendable private func circle() {
  let (left, leftInput) = Signal<Int, Never>.pipe(named: "left")
  let (right, rightInput) = Signal<Int, Never>.pipe(named: "right")
  let meeting = Meeting()
  mark("inner", #line + 3)
  left.observeValues { number in
    meeting.wait()
    rightInput.send(value: number)
  }
  mark("inner", #line + 3)
  right.observeValues { number in
    meeting.wait()
    leftInput.send(value: number + 1)
  }
  onTwoThreads({ leftInput.send(value: 1) }, { rightInput.send(value: 1) })
}

/// Two properties that read each other while they are changed.
@Sendable private func propertyCircle() {
  let left = MutableProperty(1, named: "left")
  let right = MutableProperty(1, named: "right")
  let meeting = Meeting()
  onTwoThreads(
    {
      left.modify {
        meeting.wait()
        $0 += right.value
      }
    },
    {
      right.modify {
        meeting.wait()
        $0 += left.value
      }
    })
}

@Sendable private func nestedModify() {
  let property = MutableProperty(1, named: "counter")
  property.modify { _ in property.modify { $0 += 1 } }
}

@Sendable private func readInModify() {
  let property = MutableProperty(1, named: "counter")
  property.modify { $0 += property.value }
}
