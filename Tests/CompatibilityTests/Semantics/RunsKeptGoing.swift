import Foundation
import ReactiveSwiftCompatibility
import Testing

/// A producer whose start handler keeps no observer, and what has become of its run.
final class Dropped: Sendable {
  let ended = Atomic(false)

  var source: SignalProducer<Int, Never> {
    SignalProducer { [ended] _, lifetime in lifetime.observeEnded { ended.value = true } }
  }

  /// Sends one value, and goes on.
  static let outer = SignalProducer<Int, Never> { observer, lifetime in
    observer.send(value: 1)
    lifetime.observeEnded { _ = observer }
  }
}

/// One use of such a producer.
struct Use: Sendable, CustomTestStringConvertible {
  typealias Producer = SignalProducer<Int, Never>

  let testDescription: String
  let make: @Sendable (Producer) -> Producer

  init(_ name: String, _ make: @escaping @Sendable (Producer) -> Producer) {
    testDescription = name
    self.make = make
  }

  static let all = alone + flattened + joined + started

  private static let alone: [Use] = [
    Use("itself") { $0 },
    Use("map") { $0.map { $0 + 1 } },
    Use("on(value:)") { $0.on(value: { _ in }) },
    Use("lift") { $0.lift { $0.map { $0 } } },
    Use("lift of two") { $0.lift(Signal<Int, Never>.take(untilReplacement:))(.never) },
    Use("materialize") { $0.materialize().map { _ in 1 } },
    Use("take(during:)") {
      let (lifetime, token) = Lifetime.make()
      return $0.take(during: lifetime).on(disposed: { _ = token })
    },
  ]

  private static let flattened: [Use] = [
    Use("flatMap(.latest)") { source in Dropped.outer.flatMap(.latest) { _ in source } },
    Use("flatMap(.merge)") { source in Dropped.outer.flatMap(.merge) { _ in source } },
    Use("flatMap(.concat)") { source in Dropped.outer.flatMap(.concat) { _ in source } },
    Use("flatMap(.race)") { source in Dropped.outer.flatMap(.race) { _ in source } },
    Use("flatMap(.throttle)") { source in Dropped.outer.flatMap(.throttle) { _ in source } },
    Use("flatMapError") { source in
      SignalProducer<Int, NSError>(error: NSError(domain: "", code: 0)).flatMapError { _ in source }
    },
    Use("then") { Producer.empty.then($0) },
    Use("concat") { Producer.empty.concat($0) },
    Use("prefix") { $0.prefix(value: 1) },
  ]

  private static let joined: [Use] = [
    Use("merge") { .merge([$0, .never]) },
    Use("combineLatest(with:)") { Producer.never.combineLatest(with: $0).map { $0.0 } },
    Use("zip(with:)") { Producer.never.zip(with: $0).map { $0.0 } },
    Use("withLatest(from:)") { Producer.never.withLatest(from: $0).map { $0.0 } },
    Use("sample(with:)") { Producer.never.sample(with: $0).map { $0.0 } },
    Use("take(until:)") { Producer.never.take(until: $0.map { _ in }) },
  ]

  private static let started: [Use] = [
    Use("retry") {
      $0.promoteError(NSError.self).retry(upTo: 2).flatMapError { _ in Producer.empty }
    },
    Use("repeat") { $0.repeat(2) },
    Use("observe(on:)") { $0.observe(on: ImmediateScheduler()) },
    Use("start(on:)") { $0.start(on: ImmediateScheduler()) },
    Use("replayLazily") { $0.replayLazily(upTo: 1) },
  ]
}

/// Who keeps a run going whose start handler kept no observer.
@Suite struct RunsKeptGoing {
  @Test("P14: a run goes on while its disposable is held, and no longer", arguments: Use.all)
  func held(_ use: Use) {
    let dropped = Dropped()
    let events = Atomic<[String]>([])
    let run = use.make(dropped.source).start { event in
      events.modify { if case .value = event {} else { $0.append("\(event)") } }
    }
    #expect(!dropped.ended.value)
    #expect(events.value == [])
    #expect(!run.isDisposed)
    run.dispose()
    #expect(dropped.ended.value)
  }

  @Test("P14: with nobody to hold it or its input, a run is interrupted")
  func dropped() {
    for use in [Use("itself") { $0 }, Use("map") { $0.map { $0 } }, Use("lift") { $0.lift { $0 } }]
    {
      let dropped = Dropped()
      let events = Atomic<[String]>([])
      func start() {
        use.make(dropped.source).start { event in events.modify { $0.append("\(event)") } }
      }
      start()
      #expect(dropped.ended.value, "\(use.testDescription)")
      #expect(events.value == ["INTERRUPTED"], "\(use.testDescription)")
    }
  }

  @Test("P14: an input that is held keeps the run going without its disposable, and the other way")
  func eitherOfTwo() {
    let input = Atomic<Signal<Int, Never>.Observer?>(nil)
    let ended = Atomic(false)
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      input.value = observer
      lifetime.observeEnded { ended.value = true }
    }
    var run: Disposable? = producer.start()
    input.value = nil
    #expect(!ended.value)
    run = nil
    #expect(ended.value)
    ended.value = false
    run = producer.start()
    run = nil
    #expect(!ended.value)
    input.value = nil
    #expect(ended.value)
    _ = run
  }

  @Test("P14: what startWithSignal hands over keeps the run going, in a composite, too")
  func handedOver() {
    let dropped = Dropped()
    dropped.source.startWithSignal { signal, _ in _ = signal.observe { _ in } }
    #expect(dropped.ended.value)
    dropped.ended.value = false
    let kept = CompositeDisposable()
    dropped.source.startWithSignal { signal, run in
      kept += run
      signal.observe { _ in }
    }
    #expect(!dropped.ended.value)
    kept.dispose()
    #expect(dropped.ended.value)
  }

  @Test("P14: a serial disposable keeps a run going until it is given another")
  func serial() {
    let dropped = Dropped()
    let serial = SerialDisposable(dropped.source.start())
    #expect(!dropped.ended.value)
    serial.inner = nil
    #expect(dropped.ended.value)
  }

  @Test("P14: unserialized, too")
  func unserialized() {
    let ended = Atomic(false)
    let run = SignalProducer<Int, Never>.unserialized { _, lifetime in
      lifetime.observeEnded { ended.value = true }
    }.start()
    #expect(!ended.value)
    run.dispose()
    #expect(ended.value)
  }

  @Test(
    "P14: an inner run that flattening holds goes on when the outer stream has completed",
    arguments: [FlattenStrategy.latest, .merge, .concat, .race])
  func inner(_ strategy: FlattenStrategy) {
    let dropped = Dropped()
    let (output, input) = Signal<SignalProducer<Int, Never>, Never>.pipe()
    let events = Atomic<[String]>([])
    output.flatten(strategy).observe { event in events.modify { $0.append("\(event)") } }
    input.send(value: dropped.source)
    input.sendCompleted()
    #expect(!dropped.ended.value)
    #expect(events.value == [])
  }

  @Test("P6: flatMap(.latest) ends such an inner run when the next comes, or with the whole")
  func latest() {
    let log = Atomic<[String]>([])
    @Sendable func loop(_ name: String) -> SignalProducer<Never, Never> {
      SignalProducer { _, lifetime in
        lifetime.observeEnded { log.modify { $0.append("ended \(name)") } }
      }
    }
    let (values, input) = Signal<Int, Never>.pipe()
    let run = values.producer.flatMap(.latest) { loop("\($0)") }.start()
    input.send(value: 1)
    #expect(log.value == [])
    input.send(value: 2)
    #expect(log.value == ["ended 1"])
    run.dispose()
    #expect(log.value == ["ended 1", "ended 2"])
  }

  @Test("P14: operators of a living run hold inner runs, though the disposable was dropped")
  func innerOfDropped() {
    let dropped = Dropped()
    let source = dropped.source
    func start() { Dropped.outer.flatMap(.latest) { _ in source }.start() }
    start()
    #expect(!dropped.ended.value)
  }

  @Test("P14: a property, an action and a binding hold the runs that they start")
  func otherHolders() {
    let dropped = Dropped()
    do {
      let property = Property(initial: 0, then: dropped.source)
      #expect(!dropped.ended.value)
      #expect(property.value == 0)
    }
    #expect(dropped.ended.value)
    dropped.ended.value = false
    let source = dropped.source
    let action = Action<Void, Int, Never> { source }
    let run = action.apply(()).start()
    #expect(!dropped.ended.value)
    #expect(action.isExecuting.value)
    run.dispose()
    #expect(dropped.ended.value)
    #expect(!action.isExecuting.value)
    dropped.ended.value = false
    let target = MutableProperty(0)
    let binding = target <~ dropped.source
    #expect(!dropped.ended.value)
    binding?.dispose()
    #expect(dropped.ended.value)
  }

  @Test("P11: a start handler that keeps only its lifetime hears of the disposal, once")
  func lifetimes() {
    let log = Atomic<[String]>([])
    let added = AnyDisposable()
    let run = SignalProducer<Int, Never> { _, lifetime in
      lifetime += added
      lifetime.observeEnded { log.modify { $0.append("cleaned up") } }
    }
    .on(
      interrupted: { log.modify { $0.append("interrupted") } },
      disposed: { log.modify { $0.append("disposed") } }
    ).start()
    #expect(!added.isDisposed)
    #expect(log.value == [])
    run.dispose()
    run.dispose()
    #expect(added.isDisposed)
    #expect(log.value.sorted() == ["cleaned up", "disposed", "interrupted"])
    #expect(log.value.first == "interrupted")
  }

  @Test("P11: a start within a start handler is disposed of with it")
  func nested() {
    let log = Atomic<[String]>([])
    let run = SignalProducer<Never, Never> { _, lifetime in
      lifetime += SignalProducer<Int, Never>(value: 1).startWithValues { value in
        log.modify { $0.append("value \(value)") }
      }
      lifetime.observeEnded { log.modify { $0.append("ended") } }
    }.start()
    #expect(log.value == ["value 1"])
    run.dispose()
    #expect(log.value == ["value 1", "ended"])
  }

  @Test("P3: take(first: 0) interrupts a producer, and completes a signal")
  func takeNone() {
    let events = Atomic<[String]>([])
    SignalProducer<Int, Never>(value: 1).take(first: 0).start { event in
      events.modify { $0.append("\(event)") }
    }
    #expect(events.value == ["INTERRUPTED"])
    let completed = Atomic(false)
    SignalProducer<Int, Never>.never.startWithSignal { signal, _ in
      let (values, input) = Signal<Int, Never>.pipe()
      values.flatMap(.merge) { _ in SignalProducer<Int, Never>(signal.take(first: 0)) }
        .observeCompleted { completed.value = true }
      input.sendCompleted()
    }
    #expect(completed.value)
  }
}
