import ReactiveSwiftCompatibility
import Testing

private final class Owner: Sendable {}

/// What a running stream keeps of the recipe that it came from.
@Suite struct RunsForget {
  /// What a value of `make`'s is held by, once `make` has returned.
  private func isHeld(_ use: (Owner) -> Void) -> Bool {
    weak var weakly: Owner?
    func scope() {
      let owner = Owner()
      weakly = owner
      use(owner)
    }
    scope()
    return weakly != nil
  }

  @Test("P15: while a run goes on, what its start handler captured is let go")
  func handlers() {
    let kept = Atomic<Signal<Int, Never>.Observer?>(nil)
    let held = isHeld { owner in
      SignalProducer<Int, Never> { observer, _ in
        withExtendedLifetime(owner) {}
        kept.value = observer
      }.start()
    }
    #expect(!held)
    #expect(kept.value != nil)
    kept.value?.sendCompleted()
  }

  @Test("P15: behind flatMap, of an outer stream that has completed")
  func completedOuter() {
    let run = Atomic<Disposable?>(nil)
    let held = isHeld { owner in
      run.value = SignalProducer<Int, Never> { observer, _ in
        withExtendedLifetime(owner) {}
        observer.send(value: 1)
        observer.sendCompleted()
      }
      .flatMap(.latest) { _ in SignalProducer<Int, Never>.never }
      .start()
    }
    #expect(!held)
    #expect(run.value?.isDisposed == false)
    run.value?.dispose()
  }

  @Test("P15: of init(value:) and of a sequence, while what follows goes on")
  func values() {
    let runs = CompositeDisposable()
    let ofValue = isHeld { owner in
      runs += SignalProducer<Owner, Never>(value: owner)
        .flatMap(.latest) { _ in SignalProducer<Int, Never>.never }
        .start()
    }
    #expect(!ofValue)
    let ofSequence = isHeld { owner in
      runs += SignalProducer<Owner, Never>([owner])
        .then(SignalProducer<Int, Never>.never)
        .start()
    }
    #expect(!ofSequence)
    runs.dispose()
  }

  @Test("P15: the first of then, while it runs")
  func firstOfThen() {
    let runs = CompositeDisposable()
    let held = isHeld { owner in
      runs += SignalProducer<Int, Never> { observer, lifetime in
        withExtendedLifetime(owner) {}
        lifetime.observeEnded { _ = observer }
      }
      .then(SignalProducer<Int, Never>.never)
      .start()
    }
    #expect(!held)
    runs.dispose()
  }

  @Test("P15: replayLazily's source, while a start of it goes on")
  func replayed() {
    let runs = CompositeDisposable()
    let held = isHeld { owner in
      runs += SignalProducer<Int, Never> { observer, lifetime in
        withExtendedLifetime(owner) {}
        lifetime.observeEnded { _ = observer }
      }
      .replayLazily(upTo: 1)
      .start()
    }
    #expect(!held)
    runs.dispose()
  }

  @Test("Y5: a flattened property completes when the outer and the latest inner one have gone")
  func flattened() {
    let first = MutableProperty(0)
    var second: MutableProperty<Int>? = MutableProperty(10)
    var outer: MutableProperty<MutableProperty<Int>>? = MutableProperty(first)
    let events = Atomic<[String]>([])
    outer!.flatten(.latest).producer.start { event in events.modify { $0.append("\(event)") } }
    outer!.value = second!
    second = nil
    outer = nil
    #expect(events.value == ["VALUE 0", "VALUE 10", "COMPLETED"])
  }

  @Test("Y5: a mapped property completes when its source has gone")
  func mapped() {
    var source: MutableProperty<Int>? = MutableProperty(1)
    let events = Atomic<[String]>([])
    source!.map { $0 + 1 }.producer.start { event in events.modify { $0.append("\(event)") } }
    source = nil
    #expect(events.value == ["VALUE 2", "COMPLETED"])
  }

  @Test("Y5: the signal of a flattened property holds neither property")
  func flattenedSignal() {
    var inner: MutableProperty<Int>? = MutableProperty(10)
    weak let weakInner = inner
    var outer: MutableProperty<MutableProperty<Int>>? = MutableProperty(inner!)
    let events = Atomic<[String]>([])
    outer!.flatten(.latest).signal.observe { event in events.modify { $0.append("\(event)") } }
    inner = nil
    outer = nil
    #expect(weakInner == nil)
    #expect(events.value == ["COMPLETED"])
  }

  @Test("Y5: nor does a producer that was flattened by hand")
  func flattenedByHand() {
    var inner: MutableProperty<Int>? = MutableProperty(10)
    weak let weakInner = inner
    var outer: MutableProperty<MutableProperty<Int>>? = MutableProperty(inner!)
    let events = Atomic<[String]>([])
    outer!.producer.flatMap(.latest) { $0.producer }.start { event in
      events.modify { $0.append("\(event)") }
    }
    inner = nil
    outer = nil
    #expect(weakInner == nil)
    #expect(events.value == ["VALUE 10", "COMPLETED"])
  }

  @Test("Y5: an inner property that was replaced is let go")
  func replaced() {
    var first: MutableProperty<Int>? = MutableProperty(0)
    weak let weakFirst = first
    let outer = MutableProperty(first!)
    let flattened = outer.flatten(.latest)
    first = nil
    #expect(weakFirst != nil)
    outer.value = MutableProperty(1)
    #expect(weakFirst == nil)
    #expect(flattened.value == 1)
  }

  @Test("Y6: a property that has gone lets go of its value, its producer does not")
  func goneProperty() {
    let runs = CompositeDisposable()
    let started = isHeld { owner in
      let property = MutableProperty(owner)
      runs += property.producer.start { _ in }
    }
    #expect(!started)
    let producers = Atomic<[SignalProducer<Owner, Never>]>([])
    let kept = isHeld { owner in
      let producer = MutableProperty(owner).producer
      producers.modify { $0.append(producer) }
    }
    #expect(kept)
    runs.dispose()
  }

  private final class Model: Sendable {
    let work = Atomic<Disposable?>(nil)
    let input = Atomic<Signal<Int, Never>.Observer?>(nil)

    func begin() {
      work.value = SignalProducer<Int, Never> { observer, _ in self.input.value = observer }.start()
    }

    deinit { work.value?.dispose() }
  }

  @Test("P15: an object that keeps the run of a handler which captures it is let go")
  func model() {
    var model: Model? = Model()
    weak let weakModel = model
    model!.begin()
    model = nil
    #expect(weakModel == nil)
  }
}
