// Symptom: The tablet ran out of power while I was writing, and nothing of the last page was there any
// more, although the journal is supposed to save itself several times a second.
// Looks at: the saved drafts ("autosave")

import Foundation
import Varve

final class JournalStore {
  private let files = MutableProperty<[Int: String]>([:])

  func write(_ text: String, page: Int) { files.modify { $0[page] = text } }
  func text(ofPage page: Int) -> String? { files.value[page] }
}

final class JournalEditor {
  let page: Int
  let text = MutableProperty("")
  let wordCount: Property<Int>
  private let saving: ScopedDisposable<AnyDisposable>

  init(page: Int, store: JournalStore, clock: QueueScheduler) {
    self.page = page
    wordCount = text.map { $0.split(separator: " ").count }
    saving = ScopedDisposable(
      AnyDisposable(
        text.producer
          .skip(first: 1)
          .flatMap(.latest) { text in  // culprit
            SignalProducer.timer(interval: .milliseconds(150), on: clock)
              .take(first: 1)
              .map { _ in text }
          }
          .named("autosave")
          .startWithValues { store.write($0, page: page) }))
  }
}

let clock = QueueScheduler(name: "autosave")
let store = JournalStore()
store.write("Arrived in Tromsø at noon.", page: 12)
var editor: JournalEditor? = JournalEditor(page: 13, store: store, clock: clock)
let thoughts = "the ferry was late, and the light over the fjord"
for letter in thoughts.prefix(32) {
  editor?.text.modify { $0.append(letter) }
  Thread.sleep(forTimeInterval: 0.02)
}
print("written: \(editor?.wordCount.value ?? 0) words")
editor = nil
for page in 12...13 { print("page \(page): \(store.text(ofPage: page) ?? "(empty)")") }
