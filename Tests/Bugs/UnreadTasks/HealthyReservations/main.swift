// Symptom: None; this works.
// Looks at: the reservations of boats ("reserve")

import Foundation

enum BoatError: Error {
  case allOut, declined
}

protocol Till: Sendable {
  func charge(_ guest: String) async throws
}

struct HarbourTill: Till {
  let declined: Set<String>

  func charge(_ guest: String) async throws {
    try await Task.sleep(for: .milliseconds(30))
    if declined.contains(guest) { throw BoatError.declined }
  }
}

actor BoatHire {
  private let till: any Till
  private var free: Int
  private var running: [String: Task<Int, any Error>] = [:]
  private var nextTicket = 1

  init(boats: Int, till: any Till) {
    free = boats
    self.till = till
  }

  /// Who taps again while the first tap is under way joins it.
  func reserve(for guest: String) async throws -> Int {
    if let task = running[guest] { return try await task.value }
    let task = Task(name: "charge \(guest)") { try await book(guest) }
    running[guest] = task
    do {
      return try await task.value
    } catch {
      // So that another card can be tried.
      if running[guest] == task { running[guest] = nil }
      throw error
    }
  }

  private func book(_ guest: String) async throws -> Int {
    guard free > 0 else { throw BoatError.allOut }
    // Taken before the bank is asked, and given back if it says no.
    free -= 1
    do {
      try await till.charge(guest)
    } catch {
      free += 1
      throw error
    }
    defer { nextTicket += 1 }
    return nextTicket
  }

  var summary: String { "\(free) boats free, \(nextTicket - 1) tickets" }
}

func tap(_ guest: String, _ hire: BoatHire) -> Task<Void, Never> {
  Task(name: "reserve \(guest)") {
    do {
      print("\(guest): ticket \(try await hire.reserve(for: guest))")
    } catch {
      print("\(guest): \(error)")
    }
  }
}

let hire = BoatHire(boats: 2, till: HarbourTill(declined: ["Moritz"]))
var taps = [tap("Ines", hire), tap("Moritz", hire)]
try await Task.sleep(for: .milliseconds(10))
taps.append(tap("Ines", hire))
taps.append(tap("Otto", hire))
for tap in taps { await tap.value }
await tap("Otto", hire).value
await tap("Greta", hire).value
print(await hire.summary)
