// Symptom: None. Messages arrive in their order, each with its receipt, and the room that is left is
// silent.
// Looks at: delivered (the check marks), room (the text of the room)
import Foundation
import Varve

struct Receipt {
  let number: Int
}

final class Relay: Sendable {
  let receipts: Signal<Receipt, Never>
  private let input: Signal<Receipt, Never>.Observer
  private let uplink = QueueScheduler(name: "uplink")

  init() { (receipts, input) = Signal.pipe(named: "receipts") }

  func send(_ text: String, number: Int) -> SignalProducer<Int, Never> {
    SignalProducer(value: number)
      .delay(.milliseconds(text.count > 10 ? 25 : 5), on: uplink)
      .on(value: { [input] number in input.send(value: Receipt(number: number)) })
  }

  /// What is said in a room, for as long as somebody listens.
  func talk(in room: String) -> SignalProducer<String, Never> {
    SignalProducer.interval(1..., interval: .milliseconds(20), on: uplink)
      .map { "\(room): line \($0)" }
  }
}

final class ChatModel {
  let delivered = MutableProperty<[String]>([])
  let room = MutableProperty("")
  let sent = MutableProperty(0)
  private let (texts, input) = Signal<String, Never>.pipe(named: "texts")
  private let (left, leave) = Signal<Void, Never>.pipe()
  private let (rooms, enterRoom) = Signal<String, Never>.pipe(named: "rooms")

  init(_ relay: Relay) {
    // Receipts come later than texts, one for each.
    delivered
      <~ texts.zip(with: relay.receipts)
      .map { text, receipt in "\(receipt.number) \(text)" }
      .scan([]) { $0 + [$1] }
    sent
      <~ texts
      .scan((0, "")) { last, text in (last.0 + 1, text) }
      .flatMap(.concat) { number, text in relay.send(text, number: number) }
    let left = left
    room
      <~ rooms.flatMap(.concat) { relay.talk(in: $0).take(until: left).concat(value: "") }
  }

  func write(_ text: String) { input.send(value: text) }
  func enter(_ room: String) { enterRoom.send(value: room) }
  func exit() { leave.send(value: ()) }
}

let chat = ChatModel(Relay())
chat.delivered.signal.named("delivered").observeValues { print("✓ \($0.last ?? "")") }
chat.room.signal.named("room").observeValues { print("[\($0)]") }
for (room, texts) in [
  ("kitchen", ["Who has a long ladder?", "Me", "Thanks"]),
  ("garden", ["It rains again, sorry", "Ok"]),
] {
  chat.enter(room)
  for text in texts { chat.write(text) }
  Thread.sleep(forTimeInterval: 0.15)
  chat.exit()
  Thread.sleep(forTimeInterval: 0.06)
}
print(
  "\(chat.sent.value) sent, \(chat.delivered.value.count) delivered, room: '\(chat.room.value)'")
