// Symptom: None; this works.
// Looks at: the messages of the room that is open ("open room")

import Foundation
import Varve

struct Message {
  var room: String
  var text: String
}

final class Feed {
  let messages: Signal<Message, Never>
  private let input: Signal<Message, Never>.Observer
  private let socket = QueueScheduler(name: "socket")

  init() { (messages, input) = Signal.pipe() }

  func simulate(_ count: Int, rooms: [String]) {
    for number in 0..<count {
      socket.schedule(after: .milliseconds(4 * number)) { [input] in
        input.send(value: Message(room: rooms[number % rooms.count], text: "message \(number)"))
      }
    }
  }
}

final class RoomScreen {
  let lines = MutableProperty<[String]>([])
  let unread: Property<Int>
  private let ui = QueueScheduler(name: "ui")

  init(room: String, feed: Feed) {
    unread = lines.map { $0.count }
    lines
      <~ feed.messages
      .filter { $0.room == room }
      .map { $0.text }
      .scan([String]()) { Array(($0 + [$1]).suffix(20)) }
      .observe(on: ui)
      .named("open room")
  }
}

let rooms = ["family", "work", "climbing"]
let feed = Feed()
feed.simulate(220, rooms: rooms)

var total = 0
for visit in 0..<30 {
  let screen = RoomScreen(room: rooms[visit % 3], feed: feed)
  Thread.sleep(forTimeInterval: 0.03)
  total += screen.unread.value
}
print("read \(total) messages in 30 visits")
