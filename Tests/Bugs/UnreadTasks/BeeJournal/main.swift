// Symptom: I write a note about my hives, tap Done, and see the tick. When I open the journal
// again, the note about hive 3 is not there. Those about the other hives are.
// Looks at: the saving ("save")

import Foundation

struct Note: Sendable {
  let hive: Int
  var text: String
}

enum JournalError: Error {
  case unknownHive(Int)
}

protocol Journal: Sendable {
  func save(_ note: Note) async throws
  func notes() async -> [Note]
}

/// The journal of the association knows the hives that were registered there.
actor AssociationJournal: Journal {
  private let registered: Set<Int>
  private var saved: [Note] = []

  init(registered: Set<Int>) { self.registered = registered }

  func save(_ note: Note) async throws {
    try await Task.sleep(for: .milliseconds(20))
    guard registered.contains(note.hive) else { throw JournalError.unknownHive(note.hive) }
    saved.append(note)
  }

  func notes() async -> [Note] { saved }
}

@MainActor
final class NoteSheet {
  private let journal: any Journal
  private var note: Note
  private(set) var message: String?
  private(set) var isOpen = true
  private var saving: Task<Void, any Error>?

  init(hive: Int, journal: any Journal) {
    note = Note(hive: hive, text: "")
    self.journal = journal
  }

  func type(_ text: String) { note.text += text }

  func done() {
    guard !note.text.isEmpty else {
      message = "Write something first."
      return
    }
    saving = Task(name: "save") { [journal, note] in try await journal.save(note) }  // culprit
    message = "✓"
    isOpen = false
  }
}

let journal = AssociationJournal(registered: [1, 2, 4])
for (hive, text) in [(1, "calm"), (2, "a new queen"), (3, "two frames of honey"), (4, "weak")] {
  let sheet = NoteSheet(hive: hive, journal: journal)
  sheet.type(text)
  sheet.done()
  print("hive \(hive): \(sheet.message ?? "")\(sheet.isOpen ? " (open)" : "")")
  try await Task.sleep(for: .milliseconds(50))
}
print("The journal, opened again:")
for note in await journal.notes() { print("  hive \(note.hive): \(note.text)") }
