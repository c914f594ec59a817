import Foundation

struct Guest: Sendable {
  var name: String
  var address: String
}

struct InvitationService: Sendable {
  let mailer: any Mailer

  func invite(_ guests: [Guest], to event: String) async throws {
    let letters = guests.map { guest in
      Letter(address: guest.address, text: "Dear \(guest.name), please come to \(event).")
    }
    try await retrying(attempts: 3) { try await send(letters) }  // culprit
  }

  private func send(_ letters: [Letter]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for letter in letters {
        group.addTask { try await mailer.send(letter) }
      }
      try await group.waitForAll()
    }
  }
}

/// Tries what fails for a moment, with a pause that becomes longer.
func retrying<Value: Sendable>(
  attempts: Int, _ operation: @Sendable () async throws -> Value
) async throws -> Value {
  for attempt in 1..<attempts {
    do {
      return try await operation()
    } catch let error as MailError where error.isTemporary {
      print("attempt \(attempt) failed: \(error)")
      try await Task.sleep(for: .milliseconds(50 * attempt))
    }
  }
  return try await operation()
}
