// Symptom: None: the note is saved when the writer pauses, and at the latest when the book is closed.
// Looks at: the text that is saved ("saving")

import Foundation
import Varve

final class MarginEditor {
  private(set) var saved: [String] = []
  private let edits: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private let autosave = QueueScheduler(name: "autosave")

  init() {
    (edits, input) = Signal.pipe()
    edits
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .skipRepeats()
      .debounce(.milliseconds(60), on: autosave, discardWhenCompleted: false)
      .named("saving")
      .observeValues { [weak self] in self?.saved.append($0) }
  }

  func type(_ text: String) { input.send(value: text) }
  func close() { input.sendCompleted() }
}

let editor = MarginEditor()
for text in ["T", "Th", "This is where"] {
  editor.type(text)
  Thread.sleep(forTimeInterval: 0.01)
}
Thread.sleep(forTimeInterval: 0.2)
editor.type("This is where, see p. 90")
editor.close()
Thread.sleep(forTimeInterval: 0.2)
print("Saved: \(editor.saved.joined(separator: " | "))")
