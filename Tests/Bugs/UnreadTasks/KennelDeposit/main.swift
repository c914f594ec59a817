// Symptom: My mother tapped "Reserve" for our dog, nothing moved for a moment, so she tapped again.
// Now the deposit of the kennel is on the statement of her card two times.
// Looks at: the reservation of our dog ("reserve Rex")

import Foundation

struct Receipt: Sendable {
  let number: Int
  let dog: String
  let cents: Int
}

struct NoRoom: Error {}

protocol CardService: Sendable {
  func charge(cents: Int, for dog: String) async throws -> Receipt
}

/// The bank takes its time, and does what it is told.
actor VillageBank: CardService {
  private(set) var statement: [Receipt] = []

  func charge(cents: Int, for dog: String) async throws -> Receipt {
    try await Task.sleep(for: .milliseconds(60))
    let receipt = Receipt(number: 700 + statement.count, dog: dog, cents: cents)
    statement.append(receipt)
    return receipt
  }
}

actor Kennel {
  private let cards: any CardService
  private let deposit = 4500
  private var free: Int
  private var receipts: [String: Receipt] = [:]

  init(rooms: Int, cards: any CardService) {
    free = rooms
    self.cards = cards
  }

  /// A dog that has its room keeps it: the guest gets the same receipt again.
  func reserve(for dog: String) async throws -> Receipt {
    if let receipt = receipts[dog] { return receipt }
    guard free > 0 else { throw NoRoom() }
    let receipt = try await cards.charge(cents: deposit, for: dog)  // culprit
    free -= 1
    receipts[dog] = receipt
    return receipt
  }

  func release(_ dog: String) {
    guard receipts.removeValue(forKey: dog) != nil else { return }
    free += 1
  }
}

@MainActor
final class ReserveButton {
  private let kennel: Kennel
  private(set) var taps: [Task<Void, Never>] = []

  init(kennel: Kennel) { self.kennel = kennel }

  func tap(dog: String) {
    let tap = Task(name: "reserve \(dog)") {
      do {
        let receipt = try await kennel.reserve(for: dog)
        print("\(dog): receipt \(receipt.number)")
      } catch {
        print("\(dog): \(error)")
      }
    }
    taps.append(tap)
  }
}

let bank = VillageBank()
let button = ReserveButton(kennel: Kennel(rooms: 5, cards: bank))
button.tap(dog: "Bella")
try await Task.sleep(for: .milliseconds(100))
// This guest comes back later to see the receipt.
button.tap(dog: "Bella")
button.tap(dog: "Rex")
try await Task.sleep(for: .milliseconds(25))
button.tap(dog: "Rex")
for tap in button.taps { await tap.value }
for line in await bank.statement {
  print("statement: \(line.number) \(line.dog) \(line.cents / 100) euros")
}
