// Symptom: Once I have been in another app and come back, the phone shows a banner twice for each
// message, and after the next time thrice. In the list of messages each is there once.
// Looks at: what shows the banners ("banners")

import Foundation

struct Message: Sendable, Hashable {
  let sender: String
  let text: String
}

@MainActor
final class MessageServer {
  private var clients: [UUID: AsyncStream<Message>.Continuation] = [:]

  func messages() -> AsyncStream<Message> {
    let (stream, continuation) = AsyncStream.makeStream(of: Message.self)
    let id = UUID()
    clients[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.clients[id] = nil }
    }
    return stream
  }

  func deliver(_ message: Message) {
    for client in clients.values { client.yield(message) }
  }
}

@MainActor
final class Messenger {
  private let server: MessageServer
  private var listening: Task<Void, Never>?
  private var draft = ""
  private(set) var messages: Set<Message> = []
  private(set) var banners: [String] = []

  init(server: MessageServer) { self.server = server }

  func becameActive() {
    listening = Task(name: "banners") {  // culprit
      for await message in server.messages() { show(message) }
    }
  }

  func resignedActive() { draft = draft.trimmingCharacters(in: .whitespaces) }

  func signOut() {
    listening?.cancel()
    listening = nil
  }

  private func show(_ message: Message) {
    messages.insert(message)
    banners.append("\(message.sender): \(message.text)")
  }
}

let server = MessageServer()
let messenger = Messenger(server: server)
let texts = ["Are you coming?", "We are at the lake", "Bring the ball"]
for text in texts {
  messenger.becameActive()
  try await Task.sleep(for: .milliseconds(80))
  server.deliver(Message(sender: "Jo", text: text))
  try await Task.sleep(for: .milliseconds(80))
  messenger.resignedActive()
}
print("\(messenger.messages.count) messages, banners:")
for banner in messenger.banners { print("  \(banner)") }
messenger.signOut()
