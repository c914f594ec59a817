import Testing
import Varve

/// A lock would do, but this is what the document recommends: a property that gathers.
private func gathering<Value: Sendable>(
  _ producer: SignalProducer<Value, Never>
) -> Property<[Value]> {
  Property(initial: [], then: producer.scan([]) { $0 + [$1] })
}

@Suite("Docs/Guidelines.md") struct GuidelinesExamples {}

private enum Declarations {
  struct Transfer: Sendable, Equatable { let amount: Int }
  struct Refusal: Error {}

  // example
  protocol Account {
    /// Hot: observing it changes nothing.
    var balance: Property<Int> { get }
    /// Cold, without side effects: a noun.
    func transfers(in year: Int) -> SignalProducer<Transfer, Refusal>
    /// Cold, and each start transfers: a verb.
    func transfer(_ amount: Int) -> SignalProducer<Transfer, Refusal>
  }
  // end

  final class Purse: Account {
    private let content = MutableProperty(100)
    let balance: Property<Int>

    init() { balance = Property(content) }

    func transfers(in year: Int) -> SignalProducer<Transfer, Refusal> { .empty }

    func transfer(_ amount: Int) -> SignalProducer<Transfer, Refusal> {
      SignalProducer { [content] in
        content.modify { $0 -= amount }
        return .success(Transfer(amount: amount))
      }
    }
  }
}

extension GuidelinesExamples {
  @Test("A noun has no effect, a verb has one for each start")
  func declarations() {
    let purse = Declarations.Purse()
    purse.transfers(in: 2025).start()
    #expect(purse.balance.value == 100)
    let transfer = purse.transfer(10)
    #expect(purse.balance.value == 100)
    transfer.start()
    transfer.start()
    #expect(purse.balance.value == 80)
  }

  @Test("A chain reads downwards")
  func layout() {
    let scheduler = TestScheduler()
    let (typed, input) = Signal<String, Never>.pipe()
    // example
    let queries = typed.map { $0.lowercased() }
      .debounce(.milliseconds(300), on: scheduler)
      .skipRepeats()
      .filter { $0.count > 2 }
    // end
    let sent = gathering(queries.producer)
    for text in ["V", "Va", "Var"] { input.send(value: text) }
    scheduler.advance(by: .milliseconds(300))
    #expect(sent.value == ["var"])
  }
}

private struct OneType {
  // example
  enum Progress: Sendable, Equatable {
    case started
    case read(bytes: Int)
    case finished
  }

  func line(_ progress: Progress) -> String {
    switch progress {
    case .started: "reading"
    case .read(let bytes): "\(bytes) bytes"
    case .finished: "done"
    }
  }
  // end
}

extension GuidelinesExamples {
  @Test("An enumeration says what came")
  func oneType() {
    #expect(OneType().line(.started) == "reading")
    #expect(OneType().line(.read(bytes: 12)) == "12 bytes")
    #expect(OneType().line(.finished) == "done")
  }
}

private struct Lives {
  // example
  final class Player {
    let position = MutableProperty(0)

    init(ticks: Signal<Int, Never>) {
      // The binding ends with the property, so the player needs no `deinit`.
      position <~ ticks
    }
  }

  func titles(
    of songs: Signal<String, Never>, during lifetime: Lifetime
  ) -> Signal<String, Never> {
    songs.take(during: lifetime).map { $0.uppercased() }
  }
  // end
}

extension GuidelinesExamples {
  @Test("A chain ends with what it is for")
  func lives() {
    let (ticks, clock) = Signal<Int, Never>.pipe()
    var player: Lives.Player? = Lives.Player(ticks: ticks)
    clock.send(value: 7)
    #expect(player?.position.value == 7)
    weak let position = player?.position
    player = nil
    #expect(position == nil)

    let (songs, input) = Signal<String, Never>.pipe()
    let (lifetime, token) = Lifetime.make()
    let titles = gathering(Lives().titles(of: songs, during: lifetime).producer)
    input.send(value: "one")
    token.dispose()
    input.send(value: "two")
    #expect(titles.value == ["ONE"])
  }

  @Test("What has seen enough stops the work above it")
  func onlyWhatIsNeeded() {
    let read = MutableProperty(0)
    let lines = SignalProducer<Int, Never>(1...1_000).on(value: { _ in read.modify { $0 += 1 } })
    // example
    let firstEven = lines.filter { $0.isMultiple(of: 2) }
      .take(first: 1)
    // end
    #expect(firstEven.waitForFirst() == .success(2))
    #expect(read.value == 2)
  }
}

private struct Schedulers {
  // example
  func thumbnails(
    of names: SignalProducer<String, Never>,
    worker: any Scheduler, interface: any Scheduler
  ) -> SignalProducer<Int, Never> {
    names.start(on: worker)
      .map { $0.count }
      .filter { $0 > 2 }
      .observe(on: interface)
  }
  // end
}

extension GuidelinesExamples {
  @Test("Work happens where it was started, delivery where it is asked for")
  func schedulers() {
    let worker = TestScheduler()
    let interface = TestScheduler()
    let names = SignalProducer<String, Never>(["a", "abc", "abcd"])
    let sizes = gathering(
      Schedulers().thumbnails(of: names, worker: worker, interface: interface))
    #expect(sizes.value == [])
    worker.advance()
    #expect(sizes.value == [])
    interface.advance()
    #expect(sizes.value == [3, 4])
  }

  @Test("What acts is in the producer, what looks on is in a hook")
  func sideEffects() {
    let saved = MutableProperty<[String]>([])
    let watched = MutableProperty(0)
    // example
    func save(_ text: String) -> SignalProducer<Int, Never> {
      SignalProducer {
        saved.modify { $0.append(text) }
        return text.count
      }
    }

    let saving = save("draft")
      .on(value: { _ in watched.modify { $0 += 1 } })
      .map { "\($0) characters" }
    // end
    #expect(saved.value == [])
    #expect(saving.waitForFirst() == .success("5 characters"))
    #expect(saved.value == ["draft"])
    #expect(watched.value == 1)
  }

  @Test("Two observers share one run when the chain says so")
  func sharing() {
    let fetches = MutableProperty(0)
    let fetch = SignalProducer<Int, Never> {
      fetches.modify { $0 += 1 }
      return 42
    }
    // example
    let shared = fetch.replayLazily(upTo: 1)
    let title = shared.map { "Answer: \($0)" }
    let isRight = shared.map { $0 == 42 }
    // end
    #expect(title.waitForFirst() == .success("Answer: 42"))
    #expect(isRight.waitForFirst() == .success(true))
    #expect(fetches.value == 1)
  }

  @Test("A connection begins one run when all are there")
  func connection() {
    let downloads = MutableProperty(0)
    let download = SignalProducer<String, Never> {
      downloads.modify { $0 += 1 }
      return "varve"
    }
    let length = MutableProperty(0)
    let title = MutableProperty("")
    // example
    let page = download.publish()
    length <~ page.producer.map { $0.count }
    title <~ page.producer.map { $0.uppercased() }
    page.connect()
    // end
    #expect(length.value == 5)
    #expect(title.value == "VARVE")
    #expect(downloads.value == 1)
  }

  @Test("A name replaces the derived one from there on")
  func names() {
    let scheduler = TestScheduler()
    let (keystrokes, _) = Signal<String, Never>.pipe()
    let lookUp: @Sendable (String) -> SignalProducer<String, Never> = { SignalProducer(value: $0) }
    // example
    let typed = keystrokes.named("keystrokes")
    let query = typed.debounce(.milliseconds(300), on: scheduler).named("query")
    let results = query.flatMap(.latest) { lookUp($0).named("lookup") }.named("results")
    // end
    #expect(typed.skipRepeats().description == "keystrokes.skipRepeats()")
    #expect(query.description == "query")
    #expect(results.description == "results")
  }

  @Test("Operators replace what was stored and called by hand")
  func operatorsFirst() {
    let (pages, book) = Signal<Int, Never>.pipe()
    let (closed, lid) = Signal<Void, Never>.pipe()
    let page = MutableProperty(0)
    // example
    // Instead of a disposable that `close()` has to dispose of:
    page <~ pages.take(until: closed)

    // Instead of an observer of one that starts the other:
    let chapters = pages.flatMap(.latest) { SignalProducer<Int, Never>(value: $0 / 10) }
    // end
    let shown = gathering(chapters.producer)
    book.send(value: 12)
    lid.send(value: ())
    book.send(value: 34)
    #expect(page.value == 12)
    #expect(shown.value == [1, 3])
  }
}

private struct Edges {
  // example
  final class Keyboard {
    let keys: Signal<Character, Never>
    private let input: Signal<Character, Never>.Observer

    init() { (keys, input) = Signal.pipe(named: "keys") }

    /// What the system calls.
    func keyDown(_ key: Character) { input.send(value: key) }
  }
  // end
}

extension GuidelinesExamples {
  @Test("A pipe brings in what knows no streams")
  func edges() {
    let keyboard = Edges.Keyboard()
    let text = gathering(keyboard.keys.producer)
    keyboard.keyDown("v")
    #expect(text.value == ["v"])
    #expect(keyboard.keys.description == "keys")
  }

  @Test("A queued pipe delivers afterwards what is sent from inside")
  func queued() {
    let seen = MutableProperty<[Int]>([])
    // example
    let (countdown, input) = Signal<Int, Never>.queuedPipe()
    countdown.observeValues { number in
      if number > 0 { input.send(value: number - 1) }
    }
    // end
    countdown.observeValues { number in seen.modify { $0.append(number) } }
    input.send(value: 3)
    #expect(seen.value == [3, 2, 1, 0])
  }
}

private struct NotObjectiveC {
  // example
  final class Form: Sendable {
    let name = MutableProperty("")
    let password = MutableProperty("")
    let canSend: Property<Bool>

    init() {
      // RAC(self, canSend) = [RACSignal combineLatest:@[…] reduce:…]
      canSend = name.combineLatest(with: password).map { !$0.isEmpty && $1.count > 7 }
    }
  }
  // end
}

extension GuidelinesExamples {
  @Test("A property follows others, without the runtime's help")
  func notObjectiveC() {
    let form = NotObjectiveC.Form()
    form.name.value = "ada"
    #expect(!form.canSend.value)
    form.password.value = "countess!"
    #expect(form.canSend.value)
  }
}

private struct Commands {
  // example
  final class SaveButton: Sendable {
    let title = MutableProperty("")
    /// Bind the control to its `isEnabled`, and a spinner to its `isExecuting`.
    let save: Action<Void, Int, Never>

    init() {
      save = Action(state: title, enabledIf: { !$0.isEmpty }) { title, _ in
        SignalProducer(value: title.count)
      }
    }

    /// What the control calls when it is pressed.
    func press() { save.apply().start() }
  }
  // end
}

extension GuidelinesExamples {
  @Test("An action is started by a control, when its state allows that")
  func commands() {
    let button = Commands.SaveButton()
    let saved = gathering(button.save.values.producer)
    button.press()
    button.title.value = "Varve"
    button.press()
    #expect(saved.value == [5])
  }
}
