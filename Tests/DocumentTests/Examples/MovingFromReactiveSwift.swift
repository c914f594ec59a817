import ReactiveSwiftCompatibility
import Testing

private struct Unchanged {
  // example
  func suggestions(
    for text: Signal<String, Never>,
    from server: @escaping @Sendable (String) -> SignalProducer<[String], Never>,
    on scheduler: any DateScheduler
  ) -> Signal<[String], Never> {
    text
      .debounce(0.3, on: scheduler)
      .skipRepeats()
      .flatMap(.latest) { server($0).take(first: 1) }
  }
  // end
}

private struct Moved {
  // example
  func suggestions(
    for text: Signal<String, Never>,
    from server: @escaping @Sendable (String) -> SignalProducer<[String], Never>,
    on scheduler: any TimedScheduler
  ) -> Signal<[String], Never> {
    text
      .debounce(.milliseconds(300), on: scheduler)
      .skipRepeats().named("query")
      .flatMap(.latest) { server($0).take(first: 1).named("suggestions") }
  }
  // end
}

@Suite("Docs/MovingFromReactiveSwift.md") struct MovingExamples {
  private func expectSuggestions(
    _ suggest: (
      Signal<String, Never>, @escaping @Sendable (String) -> SignalProducer<[String], Never>,
      TestScheduler
    ) -> Signal<[String], Never>
  ) {
    let scheduler = TestScheduler()
    let (text, input) = Signal<String, Never>.pipe()
    let shown = MutableProperty<[String]>([])
    shown <~ suggest(text, { SignalProducer(value: [$0, $0 + "s"]) }, scheduler)
    input.send(value: "varv")
    input.send(value: "varve")
    scheduler.advance(by: .milliseconds(299))
    #expect(shown.value == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(shown.value == ["varve", "varves"])
  }

  @Test("Code for the predecessor compiles as it stands, and does the same")
  func unchanged() { expectSuggestions(Unchanged().suggestions) }

  @Test("So does what it becomes")
  func moved() { expectSuggestions(Moved().suggestions) }

  @Test("An action refuses what its property forbids")
  func actions() {
    // example
    let isOnline = MutableProperty(false)
    let upload = Action<String, Int, Never>(enabledIf: isOnline) { text in
      SignalProducer(value: text.count)
    }
    // end
    #expect(upload.apply("draft").first() == .failure(.disabled))
    isOnline.value = true
    #expect(upload.apply("draft").first() == .success(5))
  }

  @Test("A queued pipe delivers recursive values afterwards")
  func recursion() {
    let seen = MutableProperty<[Int]>([])
    // example
    let (numbers, input) = Signal<Int, Never>.queuedPipe()
    numbers
      .filter { $0 < 3 }
      .observeValues { input.send(value: $0 + 1) }
    // end
    numbers.observeValues { number in seen.modify { $0.append(number) } }
    input.send(value: 0)
    #expect(seen.value == [0, 1, 2, 3])
  }

  @Test("A run that nobody holds ends")
  func unheld() {
    let ends = MutableProperty(0)
    // example
    let loop = SignalProducer<Never, Never> { _, lifetime in
      lifetime.observeEnded { ends.modify { $0 += 1 } }
    }
    let running = loop.start()  // goes on until `running` is disposed of, or let go
    loop.start()  // over at once
    // end
    #expect(ends.value == 1)
    running.dispose()
    #expect(ends.value == 2)
  }

  @Test("A method that is not called becomes a closure")
  func unapplied() {
    let (first, input) = Signal<Int, Never>.pipe()
    let others = [Signal<Int, Never>.pipe()]
    // example
    // Before: others.map(\.output).map(first.merge(with:))
    let merged = others.map(\.output).map { first.merge(with: $0) }
    // end
    let latest = MutableProperty(0)
    for signal in merged { latest <~ signal }
    input.send(value: 1)
    #expect(latest.value == 1)
    others[0].input.send(value: 2)
    #expect(latest.value == 2)
  }

  @Test("A property gathers from whichever thread")
  func gathering() {
    let (numbers, input) = Signal<Int, Never>.pipe()
    // example
    let sum = Property(initial: 0, then: numbers.scan(0, +))
    // end
    input.send(value: 3)
    input.send(value: 4)
    #expect(sum.value == 7)
  }

  @Test("What an observer counts is kept where every thread may count")
  func counting() {
    let (numbers, input) = Signal<Int, Never>.pipe()
    // example
    let seen = Atomic(0)
    numbers.observeValues { value in
      seen.modify { $0 += value }
      assert(seen.value > 0)
    }
    // end
    input.send(value: 3)
    #expect(seen.value == 3)
  }

  @Test("A stream is described by its name")
  func names() {
    // example
    let (output, _) = Signal<Int, Never>.pipe(named: "numbers")
    let name = output.map { $0 * 2 }.description  // numbers.map(_:)
    // end
    #expect(name == "numbers.map(_:)")
  }
}
