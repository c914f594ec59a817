// Symptom: None. The glossary looks up what one has typed when one pauses, ignores fragments of one or
// two letters, and shows the answer to the newest word alone.
// Looks at: entries (the explanation)

import Foundation
import Varve

final class Glossary {
  private let disk = QueueScheduler(name: "disk")
  private let words = ["luff": "to turn into the wind", "leech": "the rear edge of a sail"]

  func entry(for word: String) -> SignalProducer<String?, Never> {
    SignalProducer { [disk, words] observer, lifetime in
      lifetime += disk.schedule(after: .milliseconds(word == "leech" ? 20 : 70)) {
        observer.send(value: words[word])
        observer.sendCompleted()
      }
    }
  }
}

final class GlossaryModel {
  let query = MutableProperty("")
  let explanation: Property<String>

  init(glossary: Glossary, clock: QueueScheduler) {
    explanation = Property(
      initial: "Type a word",
      then: query.signal
        .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        .debounce(.milliseconds(40), on: clock)
        .filter { $0.count > 2 }
        .skipRepeats()
        .flatMap(.latest) { word in
          glossary.entry(for: word).map { $0 ?? "“\(word)” is not in the glossary" }
        }
        .named("entries"))
  }
}

let clock = QueueScheduler(name: "keys")
let model = GlossaryModel(glossary: Glossary(), clock: clock)
model.explanation.signal.observeValues { print($0) }

func type(_ word: String, thenWait pause: Double) {
  for length in 1...word.count {
    model.query.value = String(word.prefix(length))
    Thread.sleep(forTimeInterval: 0.008)
  }
  Thread.sleep(forTimeInterval: pause)
}

type("Lu", thenWait: 0.08)
type("Luff", thenWait: 0.06)
type("Leech", thenWait: 0.15)
type("Leech ", thenWait: 0.08)
type("Jib", thenWait: 0.2)
