// Symptom: In the debug build a warning says that the preview of the contract is changed from a background
// thread. Now and then the preview is drawn half with the old text, half with the new one.
// Looks at: the text of the preview ("preview")

import Foundation
import Varve

struct Clause: Sendable {
  let number: Int
  let text: String
}

struct ContractRenderer: Sendable {
  let party: String
  private let rendering = QueueScheduler(name: "rendering")

  init(party: String) { self.party = party }

  /// Fills in the names and numbers the paragraphs; slow for long contracts.
  func render(_ clauses: [Clause]) -> SignalProducer<String, Never> {
    SignalProducer { [party] () -> String in
      Thread.sleep(forTimeInterval: 0.01)
      let lines = clauses.map { "§ \($0.number) " + $0.text.replacing("NN", with: party) }
      return lines.joined(separator: "\n")
    }
    .start(on: rendering)
  }
}

/// Stands for a text view: only the main thread may touch it.
final class TextView: Sendable {
  let warnings = MutableProperty(0)
  private let content = MutableProperty("")

  var text: String {
    get { content.value }
    set {
      if !Thread.isMainThread { warnings.modify { $0 += 1 } }
      content.value = newValue
    }
  }
}

final class ContractPage: Sendable {
  let clauses = MutableProperty<[Clause]>([])
  let preview = TextView()
  let wordCount = MutableProperty(0)
  private let renderer: ContractRenderer
  private let disposables = CompositeDisposable()

  init(renderer: ContractRenderer) { self.renderer = renderer }

  func viewDidLoad() {
    wordCount
      <~ clauses.map { clauses in
        clauses.reduce(0) { $0 + $1.text.split(separator: " ").count }
      }
    disposables += clauses.producer
      .debounce(.milliseconds(20), on: QueueScheduler.main)
      .flatMap(.latest) { [renderer] in renderer.render($0) }  // culprit
      .named("preview")
      .startWithValues { [preview] in preview.text = $0 }
  }

  func add(_ text: String) {
    clauses.modify { $0.append(Clause(number: $0.count + 1, text: text)) }
  }

  deinit { disposables.dispose() }
}

let page = ContractPage(renderer: ContractRenderer(party: "Ms Okoye"))
page.viewDidLoad()
for text in ["NN rents the flat.", "NN pays on the first of the month.", "NN keeps no tigers."] {
  page.add(text)
  RunLoop.main.run(until: Date() + 0.08)
  print("\(page.wordCount.value) words, \(page.preview.warnings.value) warnings")
}
print(page.preview.text)
