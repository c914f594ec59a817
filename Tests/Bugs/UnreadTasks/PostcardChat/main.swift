// Symptom: I send a photo, and then "Look who is on the left!". My friend gets the words first, and
// the photo after "See you" at the end.
// Looks at: the messages that are sent ("send")

import Foundation

struct Message: Sendable {
  let number: Int
  let text: String
  var attachment: [UInt8] = []
}

/// Seals messages: the more bytes, the longer it takes.
struct Cipher: Sendable {
  let key: UInt8

  func sealed(_ message: Message) async throws -> Message {
    var copy = message
    for start in stride(from: 0, to: copy.attachment.count, by: 16_384) {
      try await Task.sleep(for: .milliseconds(2))
      for index in start..<min(start + 16_384, copy.attachment.count) {
        copy.attachment[index] ^= key
      }
    }
    return copy
  }
}

actor Wire {
  private(set) var received: [Message] = []

  func send(_ message: Message) async throws {
    received.append(message)
    try await Task.sleep(for: .milliseconds(1))
  }
}

@MainActor
final class Conversation {
  private let cipher = Cipher(key: 0x5A)
  private let wire: Wire
  private var count = 0
  private(set) var failures: [Error] = []

  init(wire: Wire) { self.wire = wire }

  func send(_ text: String, attachment: [UInt8] = []) {
    count += 1
    let message = Message(number: count, text: text, attachment: attachment)
    Task(name: "send \(count)") {  // culprit
      do {
        try await wire.send(cipher.sealed(message))
      } catch {
        failures.append(error)
      }
    }
  }
}

let wire = Wire()
let conversation = Conversation(wire: wire)
conversation.send("Hello from the coast")
try await Task.sleep(for: .milliseconds(40))
conversation.send("photo.jpg", attachment: .init(repeating: 7, count: 400_000))
try await Task.sleep(for: .milliseconds(15))
conversation.send("Look who is on the left!")
try await Task.sleep(for: .milliseconds(15))
conversation.send("See you")
try await Task.sleep(for: .milliseconds(200))
for message in await wire.received { print("\(message.number). \(message.text)") }
print("\(conversation.failures.count) failures")
