// Symptom: I hold my card to the door of the lounge. The lamp turns yellow, and stays yellow; the
// door does not open.
// Looks at: member (who has put a card on the reader)
import Foundation
import Varve

struct Member: Sendable {
  let name: String
  let guests: Int
}

final class CardReader {
  let card = MutableProperty<Int?>(nil)
  let member: Property<Member?>

  init(_ members: [Int: Member], on reader: QueueScheduler) {
    member = Property(
      initial: nil,
      then: card.producer
        .skipNil()
        .observe(on: reader)
        .map { number in members[number % 100_000] })
  }
}

final class Door {
  let lamp = MutableProperty("red")
  private let reader: CardReader

  init(_ reader: CardReader) { self.reader = reader }

  func knock() {
    lamp.value = "yellow"
    let answer = reader.member.producer
      .skipNil()
      .filter { $0.guests < 3 }
      .named("member")
      .waitForLast()  // culprit
    switch answer {
    case .success(let member)?:
      lamp.value = "green"
      print("Welcome, \(member.name)")
    case nil:
      lamp.value = "red"
    }
  }
}

setlinebuf(stdout)
let reader = CardReader(
  [4_711: Member(name: "Ms Lindqvist", guests: 1), 4_712: Member(name: "Mr Abara", guests: 0)],
  on: QueueScheduler(name: "reader"))
let door = Door(reader)
door.lamp.signal.observeValues { print("lamp: \($0)") }
DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { reader.card.value = 304_711 }
door.knock()
print("open")
