// Symptom: When I come back to a chat, I see only the last line of it. Everything that was written
// while I was away is missing, and so is what I had read before.
// Looks at: lines (the bubbles in the chat)
import Foundation
import Varve

struct Line {
  let author: String
  let text: String
}

final class Room {
  let history: SignalProducer<Line, Never>
  private let input: Signal<Line, Never>.Observer
  private let keeper: any Disposable

  init() {
    let (lines, input) = Signal<Line, Never>.pipe()
    self.input = input
    history = SignalProducer(lines).replayLazily(upTo: 1)  // culprit
    keeper = history.start()
  }

  func write(_ author: String, _ text: String) {
    input.send(value: Line(author: author, text: text))
  }
}

final class ChatScreen {
  let lines: Property<[String]>
  private let token = Lifetime.Token()

  init(_ room: Room) {
    lines = Property(
      initial: [],
      then: room.history
        .take(during: Lifetime(token))
        .map { "\($0.author): \($0.text)" }
        .scan([]) { $0 + [$1] })
  }
}

let room = Room()
room.write("Ada", "Is anybody there?")

var screen: ChatScreen? = ChatScreen(room)
screen?.lines.signal.named("lines").observeValues { print($0) }
room.write("Ben", "I am")
room.write("Ada", "Did you get the tickets?")
screen = nil

room.write("Ben", "Yes, row 12")
room.write("Ben", "We meet at the door")
screen = ChatScreen(room)
screen?.lines.producer.named("lines").startWithValues { print($0) }
Thread.sleep(forTimeInterval: 0.05)
