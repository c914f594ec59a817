import Testing
import Varve

@Suite("README.md") struct ReadmeExamples {
  @Test("Search as you type sends what the last query finds")
  func search() {
    // Stands in for the main queue, which no test should wait for.
    enum QueueScheduler { static let main = TestScheduler() }
    let lookUp: @Sendable (String) -> SignalProducer<String, Never> = {
      SignalProducer(value: "found \($0)")
    }
    // example
    let (keystrokes, keyboard) = Signal<String, Never>.pipe()

    let search = keystrokes.named("keystrokes")
      .debounce(.milliseconds(150), on: QueueScheduler.main)
      .skipRepeats().named("query")
      .flatMap(.latest) { query in
        lookUp(query).retry(upTo: 2).named("search")
      }

    search.observeValues { print($0) }
    keyboard.send(value: "varve")
    // end
    let shown = MutableProperty<[String]>([])
    search.observeValues { line in shown.modify { $0.append(line) } }
    QueueScheduler.main.advance(by: .milliseconds(150))
    #expect(shown.value == ["found varve"])
  }

  @Test("The derived name is the one that the README shows")
  func name() throws {
    let (keystrokes, _) = Signal<String, Never>.pipe(named: "keystrokes")
    let name = keystrokes.debounce(.milliseconds(150), on: QueueScheduler.main).skipRepeats()
      .description
    #expect(try Repository.text(of: "README.md").contains("`\(name)`"), "\(name)")
  }

  /// Not run: a recording concerns the whole process, other tests included.
  func record() throws {
    // example
    try Recorder.start(to: "run.varve")
    // …
    Recorder.stop()
    // end
  }
}
