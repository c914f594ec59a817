// What races is a warning, and in Swift 6 mode only, but for what the main actor owns.

import Foundation
import ReactiveSwiftCompatibility

final class Counter { var count = 0 }

func captures(_ signal: Signal<Int, Never>) {
  var sum = 0
  signal.observeValues { sum += $0 }  // 6: warning
  signal.observe { _ in sum = 0 }  // 6: warning
  SignalProducer<Int, Never>(value: 1).startWithValues { sum = $0 }  // 6: warning
  let counter = Counter()
  signal.observeValues { counter.count = $0 }  // 6: warning
  signal.map { $0 + counter.count }.observeValues { _ in }  // 6: warning
  signal.on(value: { counter.count = $0 }).observeValues { _ in }  // 6: warning
  SignalProducer<Int, Never> { observer, lifetime in
    lifetime.observeEnded { counter.count += 1 }  // 6: warning
    observer.sendCompleted()
  }.start()
  QueueScheduler.main.schedule { counter.count = 0 }  // 6: warning
  let target = BindingTarget<Int>(lifetime: .empty) { counter.count = $0 }  // 6: warning
  target <~ signal
  BindingTarget(lifetime: .empty, object: counter, keyPath: \.count) <~ signal  // 6: warning
  let action = Action<Int, Int, Never> { SignalProducer(value: $0 + counter.count) }  // 6: warning
  action.apply(1).start()
  _ = ValidatingProperty<Int, Never>(0) { counter.count > $0 ? .valid : .valid }  // 6: warning
  _ = AnyDisposable { counter.count = 0 }  // 6: warning
}

func hops(_ signal: Signal<Counter, Never>, _ producer: SignalProducer<Counter, Never>) {
  signal.observe(on: QueueScheduler.main).observeValues { _ in }  // 6: warning
  producer.delay(1, on: QueueScheduler.main).start()  // 6: warning
  producer.start(on: QueueScheduler.main).start()
}

@MainActor
final class Screen {
  var title = ""

  func show(_ signal: Signal<String, Never>) {
    signal.observeValues { self.title = $0 }  // 5: warning, 6: warning
  }
}

// Clients' own types, as one wrote them before there was `Sendable`.

final class OldScheduler: DateScheduler {
  var actions: [() -> Void] = []  // 6: warning
  var currentDate: Date { Date() }

  func schedule(_ action: @escaping () -> Void) -> Disposable? {
    actions.append(action)
    return nil
  }

  func schedule(after date: Date, action: @escaping () -> Void) -> Disposable? {
    schedule(action)
  }

  func schedule(
    after date: Date, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
    action: @escaping () -> Void
  ) -> Disposable? {
    schedule(action)
  }
}

final class OldDisposable: Disposable {
  var isDisposed = false  // 6: warning
  func dispose() { isDisposed = true }
}
