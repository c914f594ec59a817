import Foundation

struct Message: Identifiable, Sendable {
  enum State: String {
    case waiting = "🕓"
    case delivered = "✓"
    case failed = "!"
    case received = " "
  }

  let id = UUID()
  var text: String
  var state: State
}

@MainActor
final class ConversationModel {
  private let server: RadioServer
  /// The newest is on top.
  private(set) var messages: [Message] = []

  init(server: RadioServer) {
    self.server = server
  }

  func listen() async {
    for await text in await server.incoming() {
      messages.insert(Message(text: text, state: .received), at: 0)
    }
  }

  func send(_ text: String) async {
    let message = Message(text: text, state: .waiting)
    messages.insert(message, at: 0)
    await deliver(message)
  }

  func retryFailed() async {
    for message in messages where message.state == .failed {
      await deliver(message)
    }
  }

  private func deliver(_ message: Message) async {
    guard let row = messages.firstIndex(where: { $0.id == message.id }) else { return }
    do {
      try await server.post(message.text)  // culprit
      messages[row].state = .delivered
    } catch {
      messages[row].state = .failed
    }
  }

  func printAll() {
    for message in messages { print("\(message.state.rawValue) \(message.text)") }
  }
}
