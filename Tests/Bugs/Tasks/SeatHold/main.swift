// Symptom: If I go back from the page where I pay, my seats are not given back. Other guests see
// them as taken all evening. If the card is declined, they are free at once.
// Looks at: the checkout that I leave ("checkout 2")

import Foundation

enum PaymentError: Error {
  case declined
}

actor BoxOffice {
  private(set) var held: [String: Int] = [:]
  private(set) var sold: Set<String> = []

  func hold(_ seats: [String], for customer: Int) async throws {
    try await request()
    for seat in seats { held[seat] = customer }
  }

  func release(_ seats: [String]) async throws {
    try await request()
    for seat in seats { held[seat] = nil }
  }

  func sell(_ seats: [String]) async throws {
    try await request()
    for seat in seats {
      held[seat] = nil
      sold.insert(seat)
    }
  }

  /// The way to the office and back.
  private func request() async throws {
    try await Task.sleep(for: .milliseconds(15))
  }
}

struct Checkout: Sendable {
  let customer: Int
  let office: BoxOffice

  func buy(_ seats: [String], card: String) async throws {
    try await office.hold(seats, for: customer)
    do {
      try await pay(with: card)
      try await office.sell(seats)
    } catch {
      try? await office.release(seats)  // culprit
      throw error
    }
  }

  private func pay(with card: String) async throws {
    try await Task.sleep(for: .milliseconds(card == "declined" ? 40 : 800))
    if card == "declined" { throw PaymentError.declined }
  }
}

let office = BoxOffice()
func begin(_ customer: Int, _ seats: [String], card: String) -> Task<Void, any Error> {
  Task(name: "checkout \(customer)") {
    try await Checkout(customer: customer, office: office).buy(seats, card: card)
  }
}

let declined = begin(1, ["C4", "C5"], card: "declined")
print("customer 1: \(await declined.result)")
let left = begin(2, ["F9", "F10"], card: "4711")
try await Task.sleep(for: .milliseconds(300))
left.cancel()
print("customer 2: \(await left.result)")
try await Task.sleep(for: .milliseconds(150))
print("taken by customers: \(await office.held.sorted { $0.key < $1.key })")
