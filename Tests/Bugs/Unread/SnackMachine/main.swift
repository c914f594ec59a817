// Symptom: The operator of the server complains: a machine asks for its price list a dozen times when
// it is switched on. Once would be enough.
// Looks at: the requests for the price list ("requests")

import Foundation
import Varve

struct PriceList {
  var cents: [Int: Int]
}

final class PriceServer {
  let requests = MutableProperty(0, named: "requests")
  private let network = QueueScheduler(name: "prices")

  func priceList() -> SignalProducer<PriceList, Never> {
    SignalProducer { [requests, network] observer, lifetime in
      requests.modify { $0 += 1 }
      lifetime += network.schedule(after: .milliseconds(25)) {
        let cents = (1...12).map { ($0, 120 + 10 * ($0 % 4)) }
        observer.send(value: PriceList(cents: Dictionary(uniqueKeysWithValues: cents)))
        observer.sendCompleted()
      }
    }
  }
}

final class Machine {
  private let server: PriceServer

  init(server: PriceServer) { self.server = server }

  /// The price list of today, which all slots share.
  var prices: SignalProducer<PriceList, Never> {
    server.priceList()
      .replayLazily(upTo: 1)  // culprit
  }

  func slots() -> [Slot] {
    (1...12).map { number in Slot(number: number, machine: self) }
  }
}

final class Slot {
  let number: Int
  let label: Property<String>

  init(number: Int, machine: Machine) {
    self.number = number
    label = Property(
      initial: "-.--",
      then: machine.prices
        .map { $0.cents[number] ?? 0 }
        .map { "\($0 / 100).\($0 % 100)" })
  }
}

let server = PriceServer()
let machine = Machine(server: server)
let slots = machine.slots()
Thread.sleep(forTimeInterval: 0.15)
print(slots.map(\.label.value).joined(separator: "  "))
print("requests: \(server.requests.value)")
