// Code whose own types share names with the streams puts the module's name in front.

import Dispatch
import Foundation
import ReactiveSwiftCompatibility
import Testing

/// An app's own types, under names that the module has too.
private enum Estate {
  struct Property: Equatable { var address: String }
  enum Action { case sell }
  struct Lifetime { var years: Int }
  struct Signal { var strength: Int }
  struct Observer {}
  struct Scheduler {}
  typealias Disposable = String

  final class House: @unchecked Sendable {
    // Safety: immutable, and made of what many threads may use.
    let property: Property
    let price: ReactiveSwift.MutableProperty<Int>
    let label: ReactiveSwift.Property<String>
    let sell: ReactiveSwift.Action<Int, String, SaleError>
    let lifetime: ReactiveSwift.Lifetime
    private let token: ReactiveSwift.Lifetime.Token

    init(at address: String) {
      property = Property(address: address)
      price = ReactiveSwift.MutableProperty(1)
      label = price.map { "\($0) €" }
      sell = ReactiveSwift.Action { price in
        price < 0
          ? ReactiveSwift.SignalProducer(error: .tooCheap)
          : ReactiveSwift.SignalProducer(value: "sold for \(price)")
      }
      (lifetime, token) = ReactiveSwift.Lifetime.make()
    }

    func show(
      on scheduler: ReactiveSwift.Scheduler,
      to observer: ReactiveSwift.Signal<String, Never>.Observer
    ) -> ReactiveSwift.Disposable {
      label.producer.observe(on: scheduler).start(observer)
    }
  }
}

private enum SaleError: Swift.Error { case tooCheap }

extension Estate.House: ReactiveSwift.ReactiveExtensionsProvider {}

extension ReactiveSwift.Reactive where Base == Estate.House {
  fileprivate var price: ReactiveSwift.BindingTarget<Int> {
    ReactiveSwift.BindingTarget(lifetime: base.lifetime) { [weak base] in base?.price.value = $0 }
  }
}

extension ReactiveSwift.Signal where Value == Int {
  fileprivate func tripled() -> ReactiveSwift.Signal<Int, Error> { map { $0 * 3 } }
}

extension ReactiveSwift.SignalProducer where Error == Never {
  fileprivate func all() -> [Value] { (try? collect().single()?.get()) ?? [] }
}

private final class InlineScheduler: ReactiveSwift.Scheduler {
  func schedule(_ action: @escaping () -> Void) -> ReactiveSwift.Disposable? {
    action()
    return nil
  }
}

private final class Sum: ReactiveSwift.Observer<Int, SaleError> {
  var total = 0
  override func receive(_ value: Int) { total += value }
  override func terminate(_ termination: ReactiveSwift.Termination<SaleError>) {
    if case .completed = termination { total += 100 }
  }
}

private func latest<P: ReactiveSwift.PropertyProtocol>(_ property: P) -> P.Value { property.value }

private func values<S: ReactiveSwift.BindingSource>(_ source: S) -> [S.Value] {
  source.producer.all()
}

private func started<C: ReactiveSwift.SignalProducerConvertible>(
  _ convertible: C
) -> ReactiveSwift.SignalProducer<C.Value, C.Error> { convertible.producer }

@Suite struct QualifiedForms {
  @Test("Y10: types of one's own may have the streams' names, with the module in front of these")
  func streams() {
    let house = Estate.House(at: "Elm Street")
    let shown = Atomic<[String]>([])
    let disposable = house.show(
      on: ReactiveSwift.ImmediateScheduler(),
      to: ReactiveSwift.Signal.Observer(value: { text in shown.modify { $0.append(text) } }))
    house.reactive.price <~ ReactiveSwift.SignalProducer(value: 4)
    disposable.dispose()

    #expect(shown.value == ["1 €", "4 €"])
    #expect(house.property == Estate.Property(address: "Elm Street"))
    #expect(house.sell.apply(3).first() == .success("sold for 3"))
    #expect(
      house.sell.apply(-1).first()
        == .failure(ReactiveSwift.ActionError.producerFailed(.tooCheap)))
    #expect(latest(house.price) == 4)
    #expect(values(house.label.producer.take(first: 1)) == ["4 €"])
    #expect(started(house.label).take(first: 1).all() == ["4 €"])
  }

  @Test("the module's name can be put in front of everything else as well")
  func others() {
    let (signal, input) = ReactiveSwift.Signal<Int, Never>.pipe()
    let tripled = Atomic<[Int]>([])
    let all = ReactiveSwift.CompositeDisposable()
    all += signal.tripled().observeValues { value in tripled.modify { $0.append(value) } }
    input.send(value: 2)
    all.dispose()
    input.send(value: 3)
    #expect(tripled.value == [6])

    let event: ReactiveSwift.Signal<Int, Never>.Event = .value(3)
    #expect(event.value == 3)
    let strategy: ReactiveSwift.FlattenStrategy = .concat
    let inner = ReactiveSwift.SignalProducer<Int, Never>([1, 2]).flatMap(strategy) {
      ReactiveSwift.SignalProducer<Int, Never>(value: $0 * 2)
    }
    #expect(inner.all() == [2, 4])

    let sum = Sum()
    sum.receive(2)
    sum.terminate(.completed)
    #expect(sum.total == 102)

    let serial = ReactiveSwift.SerialDisposable(ReactiveSwift.AnyDisposable())
    let scoped = ReactiveSwift.ScopedDisposable(serial)
    scoped.dispose()
    #expect(serial.isDisposed)

    var bag = ReactiveSwift.Bag<Int>()
    let token: ReactiveSwift.Bag<Int>.Token = bag.insert(1)
    #expect(bag.remove(using: token) == 1)
    let atomic = ReactiveSwift.Atomic(1)
    #expect(atomic.swap(2) == 1)

    let scheduler: ReactiveSwift.DateScheduler = ReactiveSwift.TestScheduler()
    #expect(scheduler.currentDate == Date(timeIntervalSinceReferenceDate: 0))
    let inline: ReactiveSwift.Scheduler = InlineScheduler()
    #expect(inline.schedule {} == nil)
    let queues: [ReactiveSwift.Scheduler] = [
      ReactiveSwift.QueueScheduler.main, ReactiveSwift.UIScheduler(),
    ]
    #expect(queues.count == 2)

    let age = ReactiveSwift.ValidatingProperty<Int, SaleError>(1) {
      $0 < 0 ? .invalid(.tooCheap) : .valid
    }
    age.value = -1
    #expect(age.result.value.isInvalid)
    let logger: ReactiveSwift.EventLogger = ReactiveSwift.defaultEventLog
    let kinds: Set<ReactiveSwift.LoggingEvent.Signal> = [.value]
    ReactiveSwift.Signal<Int, Never>.empty.logEvents(events: kinds, logger: logger)
      .observeCompleted {}
  }
}
