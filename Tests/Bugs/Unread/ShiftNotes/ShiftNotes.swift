// Symptom: The night nurse writes a note and closes it at once. The day nurse reads it without its
// last words.
// Looks at: what is saved ("saved")

import Foundation
import Varve

final class NoteArchive {
  private(set) var texts: [Int: String] = [:]

  func save(_ text: String, bed: Int) { texts[bed] = text }
}

final class NoteForm {
  let bed: Int
  private let text: Signal<String, Never>
  private let input: Signal<String, Never>.Observer

  init(bed: Int, archive: NoteArchive) {
    self.bed = bed
    (text, input) = Signal.pipe(named: "text")
    text
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .debounce(.milliseconds(50), on: QueueScheduler.main)  // culprit
      .skipRepeats()
      .named("saved")
      .observeValues { archive.save($0, bed: bed) }
  }

  func edit(_ text: String) { input.send(value: text) }

  func close() { input.sendCompleted() }
}

func pause(_ seconds: Double) {
  RunLoop.main.run(until: Date().addingTimeInterval(seconds))
}

let archive = NoteArchive()
let form = NoteForm(bed: 7, archive: archive)
form.edit("Slept")
pause(0.02)
form.edit("Slept well")
pause(0.1)
form.edit("Slept well. No more")
pause(0.02)
form.edit("Slept well. No more penicillin!")
pause(0.01)
form.close()
pause(0.2)
print("bed 7: \(archive.texts[7] ?? "-")")
