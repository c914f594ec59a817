// Symptom: The longer I walk through the rooms of the chat, the more often the phone rings for each
// new message, at last a dozen times. It rings for rooms that I left long ago.
// Looks at: the tasks that listen to rooms ("room")

import Foundation

/// Hands each message to everybody who listens at the moment.
actor ChatHub {
  private var listeners: [UUID: AsyncStream<String>.Continuation] = [:]

  func messages() -> AsyncStream<String> {
    let id = UUID()
    let (stream, continuation) = AsyncStream<String>.makeStream()
    listeners[id] = continuation
    continuation.onTermination = { _ in Task { await self.remove(id) } }
    return stream
  }

  func post(_ message: String) { listeners.values.forEach { $0.yield(message) } }

  var listenerCount: Int { listeners.count }

  private func remove(_ id: UUID) { listeners[id] = nil }
}

@MainActor
final class Ringer {
  var rings = 0
}

@MainActor
final class RoomScreen {
  private let ringer: Ringer
  private var listening: Task<Void, Never>?

  init(room: Int, hub: ChatHub, ringer: Ringer) {
    self.ringer = ringer
    listening = Task(name: "room \(room)") { [weak self] in
      guard let self else { return }  // culprit
      for await message in await hub.messages() {
        self.show(message)
      }
    }
  }

  // The screen goes, and so does its task.
  deinit { listening?.cancel() }

  private func show(_ message: String) { ringer.rings += 1 }
}

let hub = ChatHub()
let ringer = Ringer()
for room in 1...12 {
  let screen = RoomScreen(room: room, hub: hub, ringer: ringer)
  try await Task.sleep(for: .milliseconds(20))
  let before = ringer.rings
  await hub.post("hello from room \(room)")
  try await Task.sleep(for: .milliseconds(20))
  withExtendedLifetime(screen) { print("room \(room): \(ringer.rings - before) rings") }
}
try await Task.sleep(for: .milliseconds(50))
print("\(await hub.listenerCount) screens listen, and none is open")
