// Symptom: When I log in I get two text messages with two codes, and the first of them is refused.
// Looks at: the request of a code ("code request")

import Foundation
import Varve

final class Gateway: Sendable {
  let sent = MutableProperty<[String]>([])
  private let queue = QueueScheduler(name: "gateway")

  /// Sends a text message with a new code; the producer sends the masked number.
  func requestCode(for number: String) -> SignalProducer<String, Never> {
    SignalProducer { [sent, queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(20)) {
        sent.modify { $0.append("\(1_000 + $0.count * 311 + 7)") }
        observer.send(value: "•••• " + number.suffix(3))
        observer.sendCompleted()
      }
    }
    .named("code request")
  }
}

final class LoginModel: Sendable {
  let hint = MutableProperty("")
  let isCodeFieldVisible = MutableProperty(false)
  private let gateway: Gateway

  init(gateway: Gateway) { self.gateway = gateway }

  func next(number: String) {
    let request = gateway.requestCode(for: number)
    hint <~ request.map { "We have sent a code to \($0)" }
    request.startWithCompleted { [isCodeFieldVisible] in  // culprit
      isCodeFieldVisible.value = true
    }
  }
}

let gateway = Gateway()
let model = LoginModel(gateway: gateway)
model.next(number: "0170 5550142")
Thread.sleep(forTimeInterval: 0.2)
print(model.hint.value)
print("code field: \(model.isCodeFieldVisible.value ? "visible" : "hidden")")
for code in gateway.sent.value { print("text message: your code is \(code)") }
