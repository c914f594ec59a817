// Symptom: I wrote "less salt" below the soup, turned the page and wrote something below the cake. The
// next day the note of the cake is there, and that of the soup is not. If I wait a little
// before I turn the page, both are there.
// Looks at: the saving of notes ("save soup")

import Foundation

actor NoteFile {
  private(set) var notes: [String: String] = [:]

  func write(_ note: String, for recipe: String) async throws {
    try await Task.sleep(for: .milliseconds(10))
    notes[recipe] = note
  }
}

@MainActor
final class Cookbook {
  private let file: NoteFile
  private var notes: [String: String] = [:]
  private var saving: Task<Void, any Error>?

  init(file: NoteFile) { self.file = file }

  /// Called with every letter; the file is written when the typing pauses.
  func type(_ text: String, below recipe: String) {
    notes[recipe, default: ""] += text
    let note = notes[recipe] ?? ""
    saving?.cancel()  // culprit
    saving = Task(name: "save \(recipe)") {
      try await Task.sleep(for: .milliseconds(120))
      try await file.write(note, for: recipe)
    }
  }
}

@MainActor
struct Cook {
  let cookbook: Cookbook

  func write(_ text: String, below recipe: String) async throws {
    for letter in text {
      cookbook.type(String(letter), below: recipe)
      try await Task.sleep(for: .milliseconds(6))
    }
  }
}

let file = NoteFile()
let cook = Cook(cookbook: Cookbook(file: file))
try await cook.write("less salt", below: "soup")
try await cook.write("more lemon", below: "cake")
try await Task.sleep(for: .milliseconds(300))
try await cook.write("ok", below: "bread")
try await Task.sleep(for: .milliseconds(300))
for (recipe, note) in await file.notes.sorted(by: <) { print("\(recipe): \(note)") }
