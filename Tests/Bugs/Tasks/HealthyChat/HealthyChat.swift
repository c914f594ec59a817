// Symptom: None; this works.
// Looks at: the reader ("reader")

import Foundation

struct Message: Sendable {
  var text: String
}

final class Connection: Sendable {
  let messages: AsyncStream<Message>
  private let input: AsyncStream<Message>.Continuation

  init() {
    (messages, input) = AsyncStream.makeStream()
  }

  func receive(_ count: Int) {
    let input = input
    let receiver = Task(name: "receiver") {
      for number in 1...count {
        try? await Task.sleep(for: .milliseconds(6))
        input.yield(Message(text: "message \(number)"))
      }
      input.finish()
    }
    input.onTermination = { _ in receiver.cancel() }
  }
}

let connection = Connection()
connection.receive(20)
let reader = Task(name: "reader") {
  var count = 0
  for await message in connection.messages {
    count += message.text.isEmpty ? 0 : 1
  }
  return count
}
print("\(await reader.value) messages")
