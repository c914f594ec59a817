// Symptom: I sent a picture and then “That's us!”. My friend gets the text first and the picture after
// it. With a long message and a short one it is the same.
// Looks at: received (what my friend sees)
import Foundation
import Varve

struct Message {
  let text: String
  let bytes: Int
}

final class Relay: Sendable {
  let received = MutableProperty<[String]>([])
  private let uplink = QueueScheduler(name: "uplink")

  /// The larger, the longer.
  func send(_ message: Message) -> SignalProducer<Message, Never> {
    SignalProducer(value: message)
      .delay(.milliseconds(10 + message.bytes / 20_000), on: uplink)
      .on(value: { [received] message in received.modify { $0.append(message.text) } })
  }
}

final class Outbox {
  let checkMarks: Property<Int>
  private let (messages, input) = Signal<Message, Never>.pipe(named: "outbox")

  init(_ relay: Relay, on interface: any Scheduler) {
    checkMarks = Property(
      initial: 0,
      then:
        messages
        .filter { $0.bytes > 0 }
        .flatMap(.merge) { relay.send($0) }  // culprit
        .observe(on: interface)
        .scan(0) { count, _ in count + 1 })
  }

  func send(_ text: String, bytes: Int) { input.send(value: Message(text: text, bytes: bytes)) }
}

let relay = Relay()
relay.received.signal.named("received").observeValues { print("friend: \($0.last ?? "")") }
let outbox = Outbox(relay, on: QueueScheduler(name: "interface"))
outbox.send("Hello Jo", bytes: 200)
Thread.sleep(forTimeInterval: 0.05)
outbox.send("(picture)", bytes: 2_000_000)
Thread.sleep(forTimeInterval: 0.02)
outbox.send("That's us!", bytes: 300)
Thread.sleep(forTimeInterval: 0.3)
print("check marks: \(outbox.checkMarks.value), at my friend's: \(relay.received.value)")
