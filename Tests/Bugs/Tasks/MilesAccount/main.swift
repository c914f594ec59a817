// Symptom: When I come back from a trip, all my flights are in the list of the miles programme,
// but the balance went up by those of one flight only. Single flights are right.
// Looks at: one of the flights ("booking LX 318")

import Foundation

struct Flight: Sendable {
  let number: String
  let kilometres: Int
}

struct Partner: Sendable {
  /// What an airline pays for a flight depends on the fare, which only it knows.
  func miles(for flight: Flight) async throws -> Int {
    try await Task.sleep(for: .milliseconds(60))
    return flight.kilometres * 5 / 8
  }
}

actor MilesAccount {
  private let partner = Partner()
  private(set) var miles: Int
  private(set) var flights: [String] = []

  init(miles: Int) { self.miles = miles }

  func credit(_ flight: Flight) async throws {
    let before = miles
    let earned = try await partner.miles(for: flight)
    flights.append(flight.number)
    miles = before + earned  // culprit
  }

  func redeem(_ price: Int) -> Bool {
    guard price <= miles else { return false }
    miles -= price
    return true
  }
}

func credit(_ trip: [Flight], to account: MilesAccount) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for flight in trip {
      group.addTask(name: "booking \(flight.number)") { try await account.credit(flight) }
    }
    try await group.waitForAll()
  }
}

let account = MilesAccount(miles: 2_000)
try await credit([Flight(number: "LX 92", kilometres: 8_000)], to: account)
print("after the first flight: \(await account.miles) of 7000")

let trip = [
  Flight(number: "LX 316", kilometres: 800), Flight(number: "LX 318", kilometres: 1_600),
  Flight(number: "OS 51", kilometres: 9_600), Flight(number: "OS 52", kilometres: 9_600),
]
try await credit(trip, to: account)
print("flights: \(await account.flights.sorted())")
print("balance: \(await account.miles) of 20500")
print(await account.redeem(15_000) ? "upgraded" : "not enough miles for an upgrade")
