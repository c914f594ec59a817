// Symptom: Since the subtitles of a film are translated in parallel they come ten times as fast, but
// people say what others should say: long sentences stand after those that answer them.
// Looks at: the translation of a scene ("scene")

import Foundation

struct Line: Sendable {
  let seconds: Int
  let text: String
}

/// The translation service; it needs longer for longer sentences.
struct Translator: Sendable {
  private let words = ["where": "wo", "here": "hier", "the": "die", "are": "sind", "yes": "ja"]

  func translate(_ text: String) async throws -> String {
    let parts = text.split(separator: " ")
    try await Task.sleep(for: .milliseconds(15 * parts.count))
    return parts.map { words[$0.lowercased()] ?? String($0) }.joined(separator: " ")
  }
}

struct Scene: Sendable {
  let lines: [Line]

  func translated(by translator: Translator) async throws -> [Line] {
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for line in lines {
        group.addTask { try await translator.translate(line.text) }
      }
      var texts: [String] = []
      for try await text in group { texts.append(text) }  // culprit
      return texts
    }
    return zip(lines, texts).map { Line(seconds: $0.seconds, text: $1) }
  }
}

let scene = Scene(lines: [
  Line(seconds: 12, text: "Where are the keys that I gave you in the car"),
  Line(seconds: 15, text: "Here"),
  Line(seconds: 17, text: "And the letters of my late uncle"),
  Line(seconds: 20, text: "Yes yes"),
])
let film = Task(name: "scene") { try await scene.translated(by: Translator()) }
for line in try await film.value { print("00:\(line.seconds)  \(line.text)") }
