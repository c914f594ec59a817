// Symptom: At the reception, the first room key of the day is right. Each key that I make after
// it opens the room of the first guest, not that of the one who stands before me.
// Looks at: written (the list of the keys on the screen)
import Foundation
import Varve

struct KeyCard {
  let room: Int
  let nights: Int
}

final class CardReader {
  private let (touches, touch) = Signal<Int, Never>.pipe()
  private let device = QueueScheduler(name: "card reader")

  func putCard(_ serial: Int) { device.schedule { [touch] in touch.send(value: serial) } }

  /// Writes the room onto the card that is put on the reader.
  func write(_ card: KeyCard) -> SignalProducer<String, Never> {
    touches.producer
      .filter { $0 > 0 }
      .map { "card \($0) opens \(card.room) for \(card.nights) nights" }
  }
}

final class Reception {
  let written: Signal<String, Never>
  private let (orders, order) = Signal<KeyCard, Never>.pipe()

  init(_ reader: CardReader) {
    written = orders.flatMap(.concat) { card in
      reader.write(card).take(until: { !$0.isEmpty })  // culprit
    }
  }

  func checkIn(room: Int, nights: Int) { order.send(value: KeyCard(room: room, nights: nights)) }
}

let reader = CardReader()
let reception = Reception(reader)
var keys = 0
let shown = reception.written.named("written")
shown.observeValues { print($0) }
for (number, room) in [104, 210, 305].enumerated() {
  reception.checkIn(room: room, nights: 2)
  reader.putCard(8_000 + number)
  Thread.sleep(forTimeInterval: 0.1)
}
