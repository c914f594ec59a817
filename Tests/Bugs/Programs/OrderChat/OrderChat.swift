// Symptom: The first message to the shop goes out and gets its check mark. After that the send button
// stays grey, and I cannot write anything more.
// Looks at: sent (the messages with a check mark)
import Foundation
import Varve

final class ChatSocket: Sendable {
  let receipts: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let network = QueueScheduler(name: "socket")

  init() { (receipts, input) = Signal.pipe(named: "receipts") }

  func write(_ text: String, number: Int) {
    network.schedule(after: .milliseconds(20)) { [input] in input.send(value: number) }
  }
}

final class ChatModel {
  let draft = MutableProperty("")
  let send: Action<Void, String, Never>

  init(_ socket: ChatSocket) {
    let numbers = MutableProperty(0)
    send = Action(state: draft, enabledIf: { !$0.isEmpty }) { text, _ in
      let number = numbers.modify { last -> Int in
        last += 1
        return last
      }
      return SignalProducer(socket.receipts)
        .on(started: { socket.write(text, number: number) })
        .filter { $0 == number }  // culprit
        .map { _ in text }
    }
    draft <~ send.values.map(value: "")
  }
}

final class ChatScreen {
  private let model: ChatModel

  init(_ model: ChatModel) {
    self.model = model
    model.send.values.named("sent").observeValues { print("✓ \($0)") }
    model.send.isEnabled.signal.skipRepeats().observeValues {
      print($0 ? "button: blue" : "button: grey")
    }
  }

  func write(_ text: String) {
    model.draft.value = text
    model.send.apply().startWithFailed { _ in print("\(text) cannot be sent") }
  }
}

let screen = ChatScreen(ChatModel(ChatSocket()))
for text in ["Good morning", "Is it in stock?", "Hello?"] {
  screen.write(text)
  Thread.sleep(forTimeInterval: 0.1)
}
