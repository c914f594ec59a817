// Symptom: Since "keep my edits" was added to the calendar's sync, the sync never ends: the arrows
// turn and turn, and neither my edits nor the others' appear.
// Looks at: the two halves of a sync ("pull")

import Foundation

actor CalendarServer {
  private var events = ["Dentist", "School play"]

  func changes() async throws -> (token: Int, events: [String]) {
    try await Task.sleep(for: .milliseconds(20))
    return (events.count, events)
  }

  func add(_ new: [String], token: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(20))
    events += new
    return new.count
  }
}

actor SyncEngine {
  private let server = CalendarServer()
  private var edits = ["Chess club"]
  private var calendar: [String] = []
  private var pushing: Task<Int, Error>?
  private var pulling: Task<Int, Error>?

  func start() {
    pushing = Task(name: "push") { try await push() }
    pulling = Task(name: "pull") { try await pull() }
  }

  func result() async throws -> String {
    let pushed = try await pushing?.value ?? 0
    _ = try await pulling?.value
    return "\(pushed) edits sent, \(calendar.count) events"
  }

  /// The server takes edits with the token of a pull alone.
  private func push() async throws -> Int {
    guard let token = try await pulling?.value else { return 0 }
    let sent = try await server.add(edits, token: token)
    edits = []
    return sent
  }

  private func pull() async throws -> Int {
    // Keep my edits: what comes must not write over what was not sent.
    if let pushing { _ = try await pushing.value }  // culprit
    let (token, events) = try await server.changes()
    calendar = events + edits
    return token
  }
}

let engine = SyncEngine()
await engine.start()
print(try await engine.result())
