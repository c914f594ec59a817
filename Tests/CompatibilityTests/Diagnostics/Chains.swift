// Long chains, each one expression whose closures say nothing about types. Each has to be solved in
// few steps.

import ReactiveSwiftCompatibility

struct Item: Sendable { var id = 0, name = "" }

func numbers(_ n: Int) -> SignalProducer<Int, Never> {
  SignalProducer<Int, Never>(0..<n).map { $0 * 2 }.filter { $0 % 3 == 0 }.scan(0) { $0 + $1 }
    .take(first: 10)
}

func tuples(_ a: Signal<Int, Never>, _ b: Signal<String, Never>) -> Signal<Int, Never> {
  Signal.combineLatest(a, b).map { $0.1.count + $0.0 }.filter { $0 > 1 }.skipRepeats()
    .map { $0 * 2 }.take(first: 5).collect().map { $0.count }
}

func inner(_ items: SignalProducer<Item, Never>) -> SignalProducer<[String], Never> {
  items.filter { $0.id > 0 }.map { $0.name }.skipRepeats()
    .flatMap(.latest) { SignalProducer(value: $0) }
    .map { $0.uppercased() }.filter { !$0.isEmpty }.take(first: 3).collect()
}

func folds(_ items: SignalProducer<Item, Never>) -> SignalProducer<Int, Never> {
  items.map { $0.id }.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }.map { $0.count }
    .filter { $0 > 1 }
}

func optionals(_ a: Signal<Int, Never>) -> Signal<Int, Never> {
  a.map { $0 > 0 ? $0 : nil }.skipNil().filter { $0 > 1 }.uniqueValues().collect(count: 2)
    .map { $0.count }.take(while: { $0 > 1 }).skip(first: 1)
}

func texts(_ items: SignalProducer<Item, Never>) -> SignalProducer<String, Never> {
  items.map { ($0.id, $0.name) }.filter { $0.0 > 1 }.map { "\($0): \($1)" }
    .on(value: { print($0) }).concat(value: "x").prefix(value: "y").skipRepeats()
}

func joined(_ items: SignalProducer<Item, Never>) -> SignalProducer<Int, Never> {
  SignalProducer.zip(items, items).map { $0.id + $1.id }.merge(with: items.map { $0.id })
    .combineLatest(with: items).map { $0.0 + $0.1.id }.filter { $0 > 3 }
}

func shifted(
  _ items: SignalProducer<Item, Never>, on scheduler: QueueScheduler
) -> SignalProducer<String, Never> {
  items.map { $0.id * 2 + 1 }.debounce(.seconds(1), on: scheduler).filter { $0 % 2 == 0 }
    .flatMap(.latest) { SignalProducer(value: $0 + 1) }.map { "\($0)" }
}

func unwrapped(
  _ items: SignalProducer<Item, Never>, on scheduler: QueueScheduler
) -> SignalProducer<Int, Never> {
  items.map { $0.name.isEmpty ? nil : $0.id }.skipNil().throttle(.seconds(1), on: scheduler)
    .flatMap(.latest) { SignalProducer(value: $0) }.delay(.seconds(1), on: scheduler)
    .map { $0 / 3 }
}
