// Symptom: The station's memory grows from hour to hour, and the levels that the board shows are older and
//   older.
// Looks at: the task that shows the levels ("board")

import Foundation

struct Level {
  let metres: Double
  let at: Date
}

actor Archive {
  private var rows = 0

  func write(_ level: Level) async {
    try? await Task.sleep(for: .milliseconds(40))
    rows += 1
  }
}

let archive = Archive()
let (levels, probe) = AsyncStream.makeStream(of: Level.self)  // culprit

let board = Task(name: "board") {
  for await level in levels {
    await archive.write(level)
    print(level.metres)
  }
}

let sampler = Task(name: "sampler") {
  for step in 0..<400 {
    try await Task.sleep(for: .milliseconds(4))
    probe.yield(Level(metres: 2 + Double(step) / 100, at: Date()))
  }
}

_ = await sampler.result
exit(0)
