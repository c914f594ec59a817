// Symptom: I wrote a sentence, changed it, and the pane on the right shows the translation of what I
// had written before.
// Looks at: translation (the text on the right)
import Foundation
import Varve

final class Translator: Sendable {
  private let queue = QueueScheduler(name: "translator")
  private let words = [
    "good": "gut", "morning": "Morgen", "evening": "Abend", "to": "an", "all": "alle", "of": "von",
    "you": "euch",
  ]

  /// Long texts take longer.
  func translate(_ text: String) -> SignalProducer<String, Never> {
    let parts = text.split(separator: " ").map(String.init)
    return SignalProducer(value: parts.map { words[$0] ?? $0 }.joined(separator: " "))
      .delay(.milliseconds(30 * parts.count), on: queue)
  }
}

final class TranslationPane {
  let source = MutableProperty("")
  let translation: Property<String>

  init(_ translator: Translator, on scheduler: any TimedScheduler) {
    translation = Property(
      initial: "",
      then: source.signal
        .debounce(.milliseconds(20), on: scheduler)
        .skipRepeats()
        .flatMap(.merge) { translator.translate($0) }  // culprit
        .observe(on: scheduler))
  }
}

let interface = QueueScheduler(name: "interface")
let pane = TranslationPane(Translator(), on: interface)
pane.translation.signal.named("translation").observeValues { print("→ \($0)") }

func type(_ text: String) {
  pane.source.value = text
  Thread.sleep(forTimeInterval: 0.06)
}

type("good morning")
Thread.sleep(forTimeInterval: 0.1)
type("good evening to all of you")
type("good evening")
Thread.sleep(forTimeInterval: 0.4)
print("left:  \(pane.source.value)")
print("right: \(pane.translation.value)")
