// Symptom: I wrote a note, closed it at once, and the last words that I had typed were gone when I
// opened it again.
// Looks at: saved (what is on the disk)
import Foundation
import Varve

final class NoteStore {
  let saved = MutableProperty("")
}

final class NoteEditor {
  private let (edits, edit) = Signal<String, Never>.pipe()
  private var text = ""

  init(_ store: NoteStore, on disk: any TimedScheduler) {
    store.saved
      <~ edits
      .skipRepeats()
      .debounce(.milliseconds(60), on: disk)  // culprit
  }

  func type(_ words: String) {
    text += words
    edit.send(value: text)
  }

  func close() {
    edit.sendCompleted()
  }
}

let store = NoteStore()
let disk = QueueScheduler(name: "disk")
store.saved.signal.named("saved").observeValues { print("saved: \($0)") }

var editor: NoteEditor? = NoteEditor(store, on: disk)
for words in ["Buy ", "milk, ", "eggs"] {
  editor?.type(words)
  Thread.sleep(forTimeInterval: 0.01)
}
Thread.sleep(forTimeInterval: 0.15)
for words in [" and ", "butter"] {
  editor?.type(words)
  Thread.sleep(forTimeInterval: 0.01)
}
editor?.close()
editor = nil
Thread.sleep(forTimeInterval: 0.2)
print("reopened: \(store.saved.value)")
