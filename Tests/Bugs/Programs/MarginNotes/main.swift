// Symptom: What I typed just before I close the book is gone the next time. Everything that I typed
// earlier is there.
// Looks at: the text that is saved ("saving")

import Foundation
import Varve

final class NoteStore {
  private(set) var saved: [Int: String] = [:]

  func save(_ text: String, page: Int) {
    saved[page] = text
    print("Saved page \(page): \(text)")
  }
}

final class MarginEditor {
  private let page: Int
  private let edits: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private let ui = QueueScheduler(name: "autosave")

  init(page: Int, store: NoteStore) {
    self.page = page
    (edits, input) = Signal.pipe()
    edits
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .skipRepeats()
      .debounce(.milliseconds(60), on: ui)  // culprit
      .named("saving")
      .observeValues { store.save($0, page: page) }
  }

  func type(_ text: String) { input.send(value: text) }

  func close() { input.sendCompleted() }
}

let store = NoteStore()
let editor = MarginEditor(page: 12, store: store)
for text in ["T", "Th", "This is where", "This is where she lies"] {
  editor.type(text)
  Thread.sleep(forTimeInterval: 0.01)
}
Thread.sleep(forTimeInterval: 0.2)
editor.type("This is where she lies, see p. 90")
Thread.sleep(forTimeInterval: 0.01)
editor.close()
Thread.sleep(forTimeInterval: 0.2)
print("The book opens with: \(store.saved[12] ?? "nothing")")
