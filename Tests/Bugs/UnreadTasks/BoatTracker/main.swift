// Symptom: The longer the regatta goes on, the more memory the app on board needs, and the positions
// that the people ashore see are older and older.
// Looks at: the sending of a position ("send position")

import Foundation

struct Position: Sendable {
  let second: Int
  let metres: Int
}

/// The line to the shore takes one position at a time.
actor ShoreLine {
  private(set) var newest = 0
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  var queued: Int { waiting.count }

  func send(_ position: Position) async throws {
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    try await Task.sleep(for: .milliseconds(20))
    newest = position.second
    isBusy = !waiting.isEmpty
    if isBusy { waiting.removeFirst().resume() }
  }
}

@MainActor
final class BoatTracker {
  private let line: ShoreLine
  private(set) var second = 0

  init(line: ShoreLine) { self.line = line }

  /// The receiver calls this for each new position.
  func moved(by metres: Int) {
    second += 1
    let position = Position(second: second, metres: metres)
    Task(name: "send position") { try await line.send(position) }  // culprit
  }
}

let line = ShoreLine()
let tracker = BoatTracker(line: line)
for leg in 1...5 {
  for _ in 1...40 {
    tracker.moved(by: 4)
    try await Task.sleep(for: .milliseconds(5))
  }
  let newest = await line.newest
  print("leg \(leg): \(await line.queued) wait; ashore: second \(newest) of \(tracker.second)")
}
