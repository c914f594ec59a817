// Symptom: The bridge between our two chat systems dies at some moment during busy hours. On quiet
// days it runs for weeks.
// Looks at: the messages of the one side ("office")

import Foundation
import Varve

struct Message {
  var text: String
  var isRelayed = false

  var relayed: Message { Message(text: text, isRelayed: true) }
}

final class Network {
  let messages: Signal<Message, Never>
  let input: Signal<Message, Never>.Observer
  private let queue: QueueScheduler

  init(_ name: String) {
    let pipe = Signal<Message, Never>.pipe()
    messages = pipe.output.named(name)
    input = pipe.input
    queue = QueueScheduler(name: name)
  }

  func post(_ count: Int, every interval: TimeInterval) {
    queue.schedule { [input] in
      for number in 0..<count {
        input.send(value: Message(text: "message \(number)"))
        Thread.sleep(forTimeInterval: interval)
      }
    }
  }
}

final class Bridge {
  private(set) var relayed = 0
  let done = DispatchSemaphore(value: 0)

  func connect(_ from: Network, to: Network, expecting count: Int) {
    from.messages
      .filter { !$0.isRelayed }
      .map { $0.relayed }
      .observeValues { [self] message in
        translate(message)
        to.input.send(value: message)  // culprit
        relayed += 1
        if relayed == count { done.signal() }
      }
  }

  private func translate(_ message: Message) { Thread.sleep(forTimeInterval: 0.0005) }
}

let office = Network("office")
let shop = Network("shop")
let bridge = Bridge()
bridge.connect(office, to: shop, expecting: 2_000)
bridge.connect(shop, to: office, expecting: 2_000)
office.post(1_000, every: 0.0002)
shop.post(1_000, every: 0.0003)
bridge.done.wait()
print("relayed \(bridge.relayed) messages")
