// What is safe compiles without a word, in both modes.

import Foundation
import ReactiveCocoa2Compatibility
import ReactiveSwiftCompatibility

struct Point: Sendable { var x = 0 }

func share(_ signal: Signal<Int, Never>, _ producer: SignalProducer<Point, Never>) {
  let factor = 2
  signal.map { $0 * factor }.filter { $0 > 0 }.observeValues { print($0) }
  producer.map(\.x).startWithValues { print($0) }
  let property = MutableProperty(0)
  property <~ signal.observe(on: QueueScheduler.main)
  Task.detached { property.value = 1 }
  let (output, input) = Signal<String, Never>.pipe()
  Task.detached { input.send(value: "x") }
  output.observeValues { _ in }
  let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
  Task.detached { action.apply(1).start() }
  let total = Atomic(0)
  signal.observeValues { value in total.modify { $0 += value } }
}

let sharedSignal = Signal<Int, Never>.never
let sharedProducer = SignalProducer<[String], Never>.empty
let sharedProperty = MutableProperty("x")
let sharedView = Property(sharedProperty)
let sharedValidation = ValidatingProperty<Int, Never>(0) { _ in .valid }
let sharedChannel = Channel<Int, Never>()
let sharedAction = Action<Int, String, Never> { SignalProducer(value: "\($0)") }
let sharedLifetime = Lifetime.make()
let sharedDisposable = CompositeDisposable()
let sharedScheduler: any DateScheduler = QueueScheduler(name: "shared")

@MainActor
final class Screen {
  var title = ""

  func show(_ signal: Signal<String, Never>, _ producer: SignalProducer<String, Never>) {
    signal.observeValuesOnMain { [weak self] text in self?.title = text }
    signal.observeOnMain { event in self.title = event.value ?? "" }
    producer.startWithValuesOnMain { text in self.title = text }
  }
}

// What stays within one function needs nothing of it.

final class Counter { var count = 0 }

func keep(_ signal: Signal<Counter, Never>, _ property: MutableProperty<Counter>) {
  signal.map { $0.count }.skipRepeats().observeValues { print($0) }
  signal.filter { $0.count > 0 }.combineLatest(with: property.signal).observe { _ in }
  property.modify { $0.count += 1 }
  property <~ signal
}

// A closure that trails is the work, also where nothing else gives the producer a type.

func number() throws -> Int { 1 }

func closures() -> (SignalProducer<Int, Never>, SignalProducer<Int, any Error>) {
  let plain = SignalProducer { 1 + 1 }
  let throwing = SignalProducer { try number() }
  let value: SignalProducer<() -> Int, Never> = SignalProducer(value: { 1 })
  value.startWithValues { _ in }
  return (plain, throwing)
}
