// Symptom: I have logged out, and still get the notifications of my account on this phone.
// Looks at: the answer to signing off ("sign off")

import Foundation
import Varve

final class PushServer: Sendable {
  let tokens = MutableProperty<Set<String>>([])
  private let network = QueueScheduler(name: "network")

  func signOn(_ token: String) -> SignalProducer<Void, Never> {
    request { _ = $0.insert(token) }.named("sign on")
  }

  func signOff(_ token: String) -> SignalProducer<Void, Never> {
    request { _ = $0.remove(token) }.named("sign off")
  }

  private func request(
    _ change: @escaping @Sendable (inout Set<String>) -> Void
  ) -> SignalProducer<Void, Never> {
    SignalProducer { [tokens] () -> Void in
      Thread.sleep(forTimeInterval: 0.02)
      tokens.modify(change)
    }
    .start(on: network)
  }
}

final class Account: Sendable {
  let user = MutableProperty<String?>(nil)
  private let server: PushServer
  private let token = "a7-44-0e"

  init(server: PushServer) { self.server = server }

  func logIn(as name: String) {
    user.value = name
    server.signOn(token)
      .startWithCompleted { print("notifications are on") }
  }

  func logOut() {
    _ = server.signOff(token)
      .on(completed: { print("notifications are off") })  // culprit
    user.value = nil
  }
}

let server = PushServer()
let account = Account(server: server)
account.logIn(as: "mira")
Thread.sleep(forTimeInterval: 0.1)
account.logOut()
print("logged out: \(account.user.value == nil)")
Thread.sleep(forTimeInterval: 0.2)
for token in server.tokens.value { print("to \(token): Mira, you have a new follower") }
