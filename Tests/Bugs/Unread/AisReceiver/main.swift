// Symptom: I have mistyped the key of my harbour's ship service. The app shows no ships, the fan blows,
// and after a minute the harbour has locked me out for too many attempts.
// Looks at: the connection to the service ("ships")

import Foundation
import Varve

struct Ship: Sendable {
  let name: String
  let knots: Double
}

enum ServiceError: Error {
  case wrongKey
  case lineLost
}

final class ShipService: Sendable {
  let attempts = MutableProperty(0)
  private let network = QueueScheduler(name: "network")

  func ships(key: String) -> SignalProducer<[Ship], ServiceError> {
    SignalProducer { [attempts, network] observer, lifetime in
      attempts.modify { $0 += 1 }
      lifetime += network.schedule(after: .milliseconds(1)) {
        guard key == "7F-22-0A" else { return observer.send(error: .wrongKey) }
        observer.send(value: [Ship(name: "Aurora", knots: 12.5), Ship(name: "Tide", knots: 7)])
      }
    }
    .named("ships")
  }
}

final class HarbourMap: Sendable {
  let ships: Property<[Ship]>

  init(service: ShipService, key: String) {
    ships = Property(
      initial: [],
      then: service.ships(key: key)
        .retry()  // culprit
        .flatMapError { _ in .empty })
  }
}

let service = ShipService()
let map = HarbourMap(service: service, key: "7F-22-AO")
for _ in 1...4 {
  Thread.sleep(forTimeInterval: 0.2)
  print("\(map.ships.value.count) ships, \(service.attempts.value) attempts to connect")
}
