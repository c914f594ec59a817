// Symptom: I let the till scan my card and it says “3 stamps redeemed”, but the free coffee never
// shows up in my app.
// Looks at: rewards (the list of free coffees in the app)
import Foundation
import Varve

enum TillError: Error {
  case offline
}

final class LoyaltyServer: Sendable {
  let rewards = MutableProperty<[String]>([])
  private let net = QueueScheduler(name: "net")

  func redeem(_ stamps: Int, card: String) -> SignalProducer<String, TillError> {
    SignalProducer<String, TillError> { [rewards] () -> Result<String, TillError> in
      let coffee = stamps >= 5 ? "large coffee" : "coffee"
      rewards.modify { $0.append(coffee) }
      return .success("\(card): \(coffee)")
    }
    .start(on: net)
  }
}

final class Till {
  let display = MutableProperty("")
  private let server: LoyaltyServer
  private let counter = QueueScheduler(name: "counter")
  private let (scans, scanner) = Signal<String, Never>.pipe()
  private var stamps = ["C-17": 3, "C-18": 5]

  init(_ server: LoyaltyServer) {
    self.server = server
    scans
      .skipRepeats()
      .map { $0.uppercased() }
      .filter { $0.hasPrefix("C-") }
      .observeValues { [unowned self] in settle($0) }
  }

  func scan(_ code: String) { scanner.send(value: code) }

  private func settle(_ card: String) {
    guard let count = stamps.removeValue(forKey: card) else { return }
    display.value = "\(count) stamps redeemed"
    _ = server.redeem(count, card: card)
      .retry(upTo: 2)
      .observe(on: counter)
      .on(value: { [display] in display.value = $0 })  // culprit
  }
}

let server = LoyaltyServer()
let till = Till(server)
till.display.signal.observeValues { print("till: \($0)") }
server.rewards.signal.named("rewards").observeValues { print("app: \($0)") }
till.scan("c-17")
Thread.sleep(forTimeInterval: 0.1)
till.scan("c-18")
Thread.sleep(forTimeInterval: 0.1)
print("free coffees: \(server.rewards.value.count)")
