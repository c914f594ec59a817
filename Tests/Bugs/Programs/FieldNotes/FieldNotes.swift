// Symptom: Each note that I write in the field is said to be saved. In the office none of them is
// there.
// Looks at: uploads (the notes that are sent)
import Foundation
import Varve

struct Note: Sendable {
  let text: String
  let place: String
}

final class Office: Sendable {
  let notes = MutableProperty<[String]>([])
  private let network = QueueScheduler(name: "network")

  func upload(_ note: Note) -> SignalProducer<Int, Never> {
    SignalProducer { [notes] in
      notes.modify {
        $0.append("\(note.place): \(note.text)")
        return $0.count
      }
    }
    .delay(.milliseconds(10), on: network)
    .named("upload")
  }
}

final class NoteModel: Sendable {
  let written: Signal<Note, Never>
  let status = MutableProperty("")
  private let input: Signal<Note, Never>.Observer

  init(_ office: Office) {
    (written, input) = Signal.pipe()
    status
      <~ written
      .filter { !$0.text.isEmpty }
      .map { note in office.upload(note) }  // culprit
      .named("uploads")
      .scan(0) { count, _ in count + 1 }
      .map { "\($0) saved" }
  }

  func write(_ text: String, at place: String) { input.send(value: Note(text: text, place: place)) }
}

let office = Office()
let model = NoteModel(office)
model.status.signal.observeValues { print($0) }
for (place, text) in [
  ("moor", "three orchids"), ("ridge", ""), ("brook", "newts"), ("moor", "rain"),
] {
  model.write(text, at: place)
  Thread.sleep(forTimeInterval: 0.03)
}
Thread.sleep(forTimeInterval: 0.1)
print("in the office: \(office.notes.value)")
