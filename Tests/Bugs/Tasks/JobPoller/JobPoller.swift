// Symptom: "Converting video …" never goes away, although the file is there.
// Looks at: the task that waits for the conversion ("conversion")

import Foundation

struct Job: Sendable {
  var name: String
  var isDone = false
}

actor JobBoard {
  private var jobs: [String: Job] = [:]

  func start(_ name: String) {
    jobs[name] = Job(name: name)
  }

  func finish(_ name: String) {
    guard var job = jobs[name] else { return }
    job.isDone = true
  }

  func job(_ name: String) -> Job? { jobs[name] }
}

func waitForEnd(of name: String, on board: JobBoard) async {
  while await board.job(name)?.isDone == false {
    try? await Task.sleep(for: .milliseconds(10))  // culprit
  }
}

let board = JobBoard()
await board.start("holiday.mov")
Task(name: "converter") {
  try? await Task.sleep(for: .milliseconds(60))
  await board.finish("holiday.mov")
}
let conversion = Task(name: "conversion") {
  await waitForEnd(of: "holiday.mov", on: board)
  return "converted"
}
print(await conversion.value)
