import Foundation
import ReactiveSwiftCompatibility
import Testing

// An unidirectional store: a state, events that reduce it, and feedback loops that watch the state and
// produce events. Written as clients of ReactiveSwift write such stores.

/// A loop from the state back to events.
struct Feedback<State, Event> {
  let events:
    (_ scheduler: Scheduler, _ state: SignalProducer<State, Never>) -> Signal<Event, Never>

  init(
    events: @escaping (Scheduler, SignalProducer<State, Never>) -> Signal<Event, Never>
  ) {
    self.events = events
  }

  init<Control: Equatable, Effect: SignalProducerConvertible>(
    skippingRepeated transform: @escaping (State) -> Control?,
    effects: @escaping (Control) -> Effect
  ) where Effect.Value == Event, Effect.Error == Never {
    self.init { scheduler, state in
      let (signal, observer) = Signal<Event, Never>.reentrantUnserializedPipe()
      state
        .map(transform)
        .skipRepeats { $0 == $1 }
        .flatMap(.latest) { control -> SignalProducer<Event, Never> in
          guard let control = control else { return .empty }
          return effects(control).producer.observe(on: scheduler)
        }
        .start(observer)
      return signal
    }
  }

  init<Effect: SignalProducerConvertible>(
    predicate: @escaping (State) -> Bool, effects: @escaping (State) -> Effect
  ) where Effect.Value == Event, Effect.Error == Never {
    self.init { scheduler, state in
      let (signal, observer) = Signal<Event, Never>.reentrantUnserializedPipe()
      state
        .filter(predicate)
        .flatMap(.latest) { effects($0).producer.observe(on: scheduler) }
        .start(observer)
      return signal
    }
  }

  static func input(_ signal: Signal<Event, Never>) -> Feedback {
    Feedback { _, _ in signal }
  }
}

extension SignalProducer where Error == Never {
  /// The states of a system.
  static func system<Event>(
    initial: Value, scheduler: Scheduler = QueueScheduler(name: "store"),
    reduce: @escaping (Value, Event) -> Value, feedbacks: [Feedback<Value, Event>]
  ) -> SignalProducer<Value, Never> {
    SignalProducer { observer, lifetime in
      let (state, stateObserver) = Signal<Value, Never>.pipe()
      let latest = Property<Value>(initial: initial, then: state)
      let events = feedbacks.map { $0.events(scheduler, latest.producer) }
      lifetime += SignalProducer<Event, Never>.merge(events.map { $0.producer })
        .observe(on: scheduler)
        .scan(initial, reduce)
        .observe(on: scheduler)
        .startWithValues(stateObserver.send(value:))
      lifetime += latest.producer.start(observer)
    }
  }
}

// Safety: a property and a signal's input are made for many threads.
final class Store<State, Event>: @unchecked Sendable {
  let state: Property<State>
  private let input: Signal<Event, Never>.Observer
  let (lifetime, token) = Lifetime.make()

  init(
    initial: State, scheduler: Scheduler, reduce: @escaping (State, Event) -> State,
    feedbacks: [Feedback<State, Event>]
  ) {
    let (signal, observer) = Signal<Event, Never>.pipe()
    input = observer
    let system = SignalProducer.system(
      initial: initial, scheduler: scheduler, reduce: reduce,
      feedbacks: feedbacks + [.input(signal)])
    state = Property(initial: initial, then: system.skip(first: 1).take(during: lifetime))
  }

  func send(_ event: Event) { input.send(value: event) }

  subscript<Part>(dynamic keyPath: KeyPath<State, Part>) -> Property<Part> {
    state.map { $0[keyPath: keyPath] }
  }
}

@Suite struct StateStorePrograms {
  struct Paging: Equatable {
    enum Status: Equatable { case idle, loading(page: Int), failed }
    var items: [String] = []
    var status = Status.idle
    var pagesSeen = 0

    var pageToLoad: Int? {
      if case let .loading(page) = status { return page }
      return nil
    }
  }

  enum PagingEvent {
    case wantsMore
    case didLoad([String])
    case didFail
  }

  static func reduce(_ state: Paging, _ event: PagingEvent) -> Paging {
    var next = state
    switch event {
    case .wantsMore: next.status = .loading(page: state.pagesSeen + 1)
    case let .didLoad(items):
      next.items += items
      next.pagesSeen += 1
      next.status = .idle
    case .didFail: next.status = .failed
    }
    return next
  }

  @Test("Y5: a store with a feedback loop loads page after page, on a virtual clock")
  func paging() {
    let scheduler = TestScheduler()
    var requests: [Int] = []
    let loading = Feedback<Paging, PagingEvent>(
      skippingRepeated: { $0.pageToLoad },
      effects: { page -> SignalProducer<PagingEvent, Never> in
        requests.append(page)
        return SignalProducer<[String], TestError>(value: ["item \(page)"])
          .delay(1, on: scheduler)
          .attemptMap { items in page < 3 ? .success(items) : .failure(.first) }
          .map(PagingEvent.didLoad)
          .flatMapError { _ in SignalProducer(value: .didFail) }
      })
    let store = Store(
      initial: Paging(), scheduler: scheduler, reduce: StateStorePrograms.reduce,
      feedbacks: [loading])
    var statuses: [Paging.Status] = []
    store.state.map { $0.status }.producer.skipRepeats().startWithValues { statuses.append($0) }
    for _ in 1...3 {
      store.send(.wantsMore)
      scheduler.advance(by: .seconds(2))
    }
    #expect(requests == [1, 2, 3])
    #expect(store.state.value.items == ["item 1", "item 2"])
    #expect(store.state.value.status == .failed)
    #expect(
      statuses == [
        .idle, .loading(page: 1), .idle, .loading(page: 2), .idle, .loading(page: 3), .failed,
      ])
    #expect(store[dynamic: \.pagesSeen].value == 2)
  }

  @Test("Y5: a store runs on a queue of its own and counts every event of many threads")
  func queue() {
    let store = Store<Int, Int>(
      initial: 0, scheduler: QueueScheduler(name: "counter"), reduce: { $0 + $1 },
      feedbacks: [
        Feedback(
          predicate: { $0 == 1_000 }, effects: { _ in SignalProducer(value: 1_000_000) })
      ])
    let done = DispatchSemaphore(value: 0)
    store.state.producer.filter { $0 == 1_001_000 }.take(first: 1).startWithCompleted {
      done.signal()
    }
    DispatchQueue.concurrentPerform(iterations: 10) { _ in
      for _ in 1...100 { store.send(1) }
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(store.state.value == 1_001_000)
  }
}
