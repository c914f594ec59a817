// Symptom: The longer I use the chat and go in and out of rooms, the slower it gets, and one
// message makes the notification sound play many times.
// Looks at: the incoming messages ("messages")

import Foundation
import Varve

struct Message {
  var room: String
  var author: String
  var text: String
}

final class ChatService {
  let messages: Signal<Message, Never>
  private let input: Signal<Message, Never>.Observer

  init() {
    let pipe = Signal<Message, Never>.pipe()
    messages = pipe.output.named("messages")
    input = pipe.input
  }

  func receive(_ message: Message) { input.send(value: message) }
}

final class SoundPlayer {
  private(set) var played = 0
  func playPling() { played += 1 }
}

final class RoomScreen {
  let room: String
  private(set) var lines: [String] = []

  init(room: String, service: ChatService, sounds: SoundPlayer) {
    self.room = room
    service.messages
      .filter { $0.room == room }
      .observeValues { [weak self] message in  // culprit
        sounds.playPling()
        self?.lines.append("\(message.author): \(message.text)")
      }
  }
}

let service = ChatService()
let sounds = SoundPlayer()
let rooms = ["family", "work", "climbing"]

for visit in 0..<60 {
  let screen = RoomScreen(room: rooms[visit % rooms.count], service: service, sounds: sounds)
  service.receive(Message(room: screen.room, author: "Ida", text: "hello \(visit)"))
  service.receive(Message(room: "work", author: "Tom", text: "build is green"))
  Thread.sleep(forTimeInterval: 0.01)
}
print("messages: 120, sounds played: \(sounds.played)")
