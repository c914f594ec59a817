// Symptom: None. Every note is saved when typing pauses or the note is closed.
// Looks at: saved (what is on the disk)
import Foundation
import Varve

struct Note: Equatable {
  var title: String
  var text: String
}

final class NoteStore {
  let saved = MutableProperty<[String: String]>([:])
  private let disk = QueueScheduler(name: "disk")

  func save(_ note: Note) -> SignalProducer<Note, Never> {
    SignalProducer { [saved] in
      saved.modify { $0[note.title] = note.text }
      return note
    }
    .start(on: disk)
  }
}

final class NoteEditor {
  let savedCount: Property<Int>
  private let (edits, edit) = Signal<Note, Never>.pipe()
  private var note: Note

  init(_ title: String, in store: NoteStore, on timers: any TimedScheduler) {
    note = Note(title: title, text: "")
    savedCount = Property(
      initial: 0,
      then:
        edits
        .skipRepeats()
        .debounce(.milliseconds(50), on: timers, discardWhenCompleted: false)
        .flatMap(.concat) { store.save($0) }
        .scan(0) { count, _ in count + 1 })
  }

  func type(_ words: String) {
    note.text += words
    edit.send(value: note)
  }

  func close() { edit.sendCompleted() }
}

let store = NoteStore()
let timers = QueueScheduler(name: "timers")
store.saved.signal.named("saved").observeValues { print($0.sorted { $0.key < $1.key }) }

for (title, words) in [("Shopping", ["milk", ", eggs"]), ("Ideas", ["a clock", " that sings"])] {
  let editor = NoteEditor(title, in: store, on: timers)
  for word in words {
    editor.type(word)
    Thread.sleep(forTimeInterval: 0.09)
  }
  editor.type(".")
  editor.close()
  Thread.sleep(forTimeInterval: 0.12)
  print("\(title) was saved \(editor.savedCount.value) times")
}
