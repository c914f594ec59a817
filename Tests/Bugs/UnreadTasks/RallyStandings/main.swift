// Symptom: The table of the rally jumps back: it shows stage 5 for a moment, and then stage 4 again,
// until the next stage is over.
// Looks at: the updates of the table ("update")

import Foundation

struct Message: Sendable {
  let stage: Int
  let payload: [UInt8]
}

struct Standings: Sendable {
  let stage: Int
  let cars: Int
}

protocol SocketDelegate: AnyObject, Sendable {
  func socket(didReceive message: Message)
}

/// The connection to the timekeepers.
final class Socket: Sendable {
  func deliver(_ messages: [(Int, Message)], to delegate: any SocketDelegate) async {
    for (pause, message) in messages {
      try? await Task.sleep(for: .milliseconds(pause))
      delegate.socket(didReceive: message)
    }
  }
}

struct Decoder: Sendable {
  /// Larger messages take longer: they are checked and unpacked bit by bit.
  func decode(_ message: Message) async throws -> Standings {
    try await Task.sleep(for: .milliseconds(message.payload.count / 10))
    return Standings(stage: message.stage, cars: message.payload.count)
  }
}

@MainActor
final class StandingsTable: SocketDelegate {
  private let decoder = Decoder()
  private(set) var title = "–"

  nonisolated func socket(didReceive message: Message) {
    Task(name: "update") {  // culprit
      guard let standings = try? await decoder.decode(message) else { return }
      await show(standings)
    }
  }

  private func show(_ standings: Standings) {
    title = "after stage \(standings.stage)"
    print("table: \(title)")
  }
}

func message(stage: Int, isComplete: Bool) -> Message {
  Message(stage: stage, payload: [UInt8](repeating: 1, count: isComplete ? 1_800 : 60))
}

let table = StandingsTable()
await Socket().deliver(
  [
    (10, message(stage: 2, isComplete: false)), (100, message(stage: 3, isComplete: false)),
    (100, message(stage: 4, isComplete: true)), (60, message(stage: 5, isComplete: false)),
  ], to: table)
try await Task.sleep(for: .milliseconds(400))
print("five stages are over, and the table is that \(table.title)")
