// Symptom: none. The saws take at most two logs at once, the siren runs without end and is
// cancelled with the group, and rotten logs are left out on purpose.
// Looks at: the sawing ("saw")

import Foundation

struct Log: Sendable {
  let number: Int
  let isRotten: Bool
}

actor Yard {
  private(set) var boards: [Int: Int] = [:]
  private(set) var blinks = 0

  func store(_ count: Int, from log: Int) { boards[log] = count }
  func blink() { blinks += 1 }
}

struct Sawmill: Sendable {
  let yard = Yard()

  private func saw(_ log: Log) async throws {
    try await Task.sleep(for: .milliseconds(20))
    await yard.store(6 + log.number % 3, from: log.number)
  }

  private func siren() async throws {
    while true {
      await yard.blink()
      try await Task.sleep(for: .milliseconds(15))
    }
  }

  func work(on logs: [Log]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(name: "siren") {
        do { try await siren() } catch is CancellationError {}
      }
      try await withThrowingTaskGroup(of: Void.self) { saws in
        var waiting = logs.filter { !$0.isRotten }.makeIterator()
        for _ in 0..<2 {
          if let log = waiting.next() { saws.addTask(name: "saw") { try await saw(log) } }
        }
        while try await saws.next() != nil {
          if let log = waiting.next() { saws.addTask(name: "saw") { try await saw(log) } }
        }
      }
      group.cancelAll()
    }
  }
}

let mill = Sawmill()
let logs = (1...9).map { Log(number: $0, isRotten: $0 == 4) }
try await mill.work(on: logs)
let boards = await mill.yard.boards
print("\(boards.count) logs, \(boards.values.reduce(0, +)) boards")
