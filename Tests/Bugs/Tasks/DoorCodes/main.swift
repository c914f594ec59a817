// Symptom: In the evening no door of the hotel opens any more: the lamp of the lock blinks, and
// nothing else happens. It began when a guest held the card of another hotel to a door.
// Looks at: a door that does not open ("door 12")

import Foundation

struct Card: Sendable {
  let number: Int
}

// Safety: all that changes is used while `lock` is held.
final class DoorCodes: @unchecked Sendable {
  private let lock = NSLock()
  private var rooms: [Int: Int] = [:]
  private var openings: [Int: Int] = [:]

  func issue(_ card: Card, for room: Int) {
    lock.lock()
    defer { lock.unlock() }
    rooms[card.number] = room
  }

  /// Whether a card opens a room, and if so counts it.
  func isValid(_ card: Card, for room: Int) -> Bool {
    lock.lock()
    guard rooms[card.number] == room else { return false }  // culprit
    openings[room, default: 0] += 1
    lock.unlock()
    return true
  }

  func openings(of room: Int) -> Int {
    lock.lock()
    defer { lock.unlock() }
    return openings[room, default: 0]
  }
}

struct Door: Sendable {
  let room: Int
  let codes: DoorCodes

  func hold(_ card: Card) async throws -> String {
    // The reader takes a moment.
    try await Task.sleep(for: .milliseconds(10))
    return codes.isValid(card, for: room) ? "green" : "red"
  }
}

let codes = DoorCodes()
for room in 10...13 { codes.issue(Card(number: 500 + room), for: room) }

func hold(_ card: Card, to room: Int) async throws {
  let door = Door(room: room, codes: codes)
  let reading = Task(name: "door \(room)") { try await door.hold(card) }
  print("card \(card.number) at door \(room): \(try await reading.value)")
}

try await hold(Card(number: 510), to: 10)
try await hold(Card(number: 511), to: 11)
try await hold(Card(number: 98_117), to: 11)
try await hold(Card(number: 512), to: 12)
print("door 12 was opened \(codes.openings(of: 12)) times")
