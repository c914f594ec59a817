// Symptom: None. Notes are written to the file when the typing pauses, each for its own recipe,
// and at once when the book is closed.
// Looks at: the saving of notes ("save soup")

import Foundation

actor NoteFile {
  private(set) var notes: [String: String] = [:]
  private(set) var writes = 0

  func write(_ note: String, for recipe: String) async throws {
    try await Task.sleep(for: .milliseconds(5))
    writes += 1
    notes[recipe] = note
  }
}

@MainActor
final class Cookbook {
  private let file: NoteFile
  private var notes: [String: String] = [:]
  private var savings: [String: Task<Void, any Error>] = [:]

  init(file: NoteFile) { self.file = file }

  func type(_ text: String, below recipe: String) {
    notes[recipe, default: ""] += text
    savings[recipe]?.cancel()
    savings[recipe] = Task(name: "save \(recipe)") {
      try await Task.sleep(for: .milliseconds(120))
      try await file.write(notes[recipe] ?? "", for: recipe)
      try Task.checkCancellation()
      savings[recipe] = nil
    }
  }

  func close() async throws {
    for (recipe, saving) in savings {
      saving.cancel()
      try await file.write(notes[recipe] ?? "", for: recipe)
    }
    savings = [:]
  }
}

let file = NoteFile()
let cookbook = Cookbook(file: file)
for (text, recipe) in [("less salt", "soup"), ("more lemon", "cake"), ("ok", "bread")] {
  for letter in text {
    cookbook.type(String(letter), below: recipe)
    try await Task.sleep(for: .milliseconds(6))
  }
  if recipe == "cake" { try await Task.sleep(for: .milliseconds(300)) }
}
try await cookbook.close()
for (recipe, note) in await file.notes.sorted(by: <) { print("\(recipe): \(note)") }
print("written \(await file.writes) times")
