// Symptom: None; the line is kept open while the log is sent, and no longer.
// Looks at: the sending of the log ("send log")

import Foundation

actor Satellite {
  private(set) var beats = 0
  private var parts: [String] = []

  var received: Int { parts.count }

  func beat() { beats += 1 }

  func send(_ part: String) async throws {
    try await Task.sleep(for: .milliseconds(15))
    parts.append(part)
  }
}

struct Uplink: Sendable {
  let satellite: Satellite

  func send(_ log: [String]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(name: "keep alive") { try await keepAlive() }
      for part in log { try await satellite.send(part) }
      group.cancelAll()
    }
  }

  private func keepAlive() async throws {
    while !Task.isCancelled {
      await satellite.beat()
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

let satellite = Satellite()
let uplink = Uplink(satellite: satellite)
for watch in 1...3 {
  let log = (1...8).map { "watch \(watch), \($0):00 engine fine" }
  let sending = Task(name: "send log") { try await uplink.send(log) }
  try await sending.value
  print("watch \(watch): the office has \(await satellite.received) parts")
}
let beats = await satellite.beats
try await Task.sleep(for: .milliseconds(60))
print("beats afterwards: \(await satellite.beats - beats)")
