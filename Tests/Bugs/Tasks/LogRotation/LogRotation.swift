// Symptom: Every few seconds the counter on the screen stands still for a moment.
// Looks at: the counter's task ("counter")

import Foundation

actor Journal {
  private var lines: [String] = []
  private(set) var rotations = 0

  func append(_ line: String) {
    lines.append(line)
  }

  func rotate() {
    compress(lines)
    lines = []
    rotations += 1
  }

  private func compress(_ lines: [String]) {
    Thread.sleep(forTimeInterval: 0.15)  // culprit
  }
}

let journal = Journal()
let counter = Task(name: "counter") {
  for number in 1...60 {
    await journal.append("count \(number)")
    try? await Task.sleep(for: .milliseconds(8))
  }
}
let rotation = Task(name: "rotation", priority: .low) {
  for _ in 0..<3 {
    try? await Task.sleep(for: .milliseconds(150))
    await journal.rotate()
  }
}
await counter.value
await rotation.value
print("\(await journal.rotations) rotations")
