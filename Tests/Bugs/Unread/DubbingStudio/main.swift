// Symptom: The editor corrects a misspelt line of the dialogue, and the speaker in the booth goes on
// reading the wrong one. When the scene changes, the text is right again.
// Looks at: the line on the prompter ("line")

import Foundation
import Varve

struct DialogueLine: Equatable, Sendable, Identifiable {
  let id: Int
  let role: String
  var text: String

  static func == (left: Self, right: Self) -> Bool { left.id == right.id }
}

struct Script: Sendable {
  var lines: [DialogueLine]

  mutating func correct(_ id: DialogueLine.ID, to text: String) {
    guard let index = lines.firstIndex(where: { $0.id == id }) else { return }
    lines[index].text = text
  }
}

final class Prompter: Sendable {
  let position = MutableProperty(0)
  let script: MutableProperty<Script>
  let line: Property<DialogueLine>
  private let screen = MutableProperty("")

  init(_ first: Script) {
    script = MutableProperty(first)
    line = Property.combineLatest(script, position)
      .map { script, position in script.lines[position] }
      .skipRepeats()  // culprit
    screen <~ line.producer.map { "\($0.role.uppercased()): \($0.text)" }.named("line")
  }

  var text: String { screen.value }
}

let prompter = Prompter(
  Script(lines: [
    DialogueLine(id: 10, role: "Vera", text: "You should not have come hear."),
    DialogueLine(id: 11, role: "Milo", text: "And yet I did."),
    DialogueLine(id: 12, role: "Vera", text: "Then close the door."),
  ]))
print(prompter.text)
Thread.sleep(forTimeInterval: 0.05)
prompter.script.modify { $0.correct(10, to: "You should not have come here.") }
Thread.sleep(forTimeInterval: 0.05)
print("corrected:", prompter.text)
for scene in [1, 2] {
  prompter.position.value = scene
  Thread.sleep(forTimeInterval: 0.03)
  print("scene \(scene + 1):", prompter.text)
}
prompter.script.modify { $0.correct(12, to: "Then lock the door.") }
Thread.sleep(forTimeInterval: 0.05)
print("corrected:", prompter.text)
