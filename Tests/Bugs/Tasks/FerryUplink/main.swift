// Symptom: Our ship sends its log to the office, and the office has it. On the bridge the page says
// "sending" for ever.
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

  /// Sends the log; the satellite closes a line on which nothing happens for a while.
  func send(_ log: [String]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(name: "keep alive") { try await keepAlive() }  // culprit
      group.addTask(name: "parts") {
        for part in log { try await satellite.send(part) }
      }
      try await group.waitForAll()
    }
  }

  private func keepAlive() async throws {
    while true {
      await satellite.beat()
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

let satellite = Satellite()
let uplink = Uplink(satellite: satellite)
let log = (1...8).map { "\($0):00 engine fine" }
let sending = Task(name: "send log") { try await uplink.send(log) }
print("bridge: sending")
for _ in 1...3 {
  try await Task.sleep(for: .milliseconds(100))
  print("office: \(await satellite.received) of \(log.count) parts")
}
try await sending.value
print("bridge: sent")
