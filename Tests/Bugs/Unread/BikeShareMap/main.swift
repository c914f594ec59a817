// Symptom: After I have been in the tunnel for one stop, the map of the shared bikes shows the stands that
// it had before, wherever I move it. Only a restart of the app helps.
// Looks at: the stands that are shown ("stands")

import Foundation
import Varve

struct Region: Equatable, Sendable {
  let x: Int
  let y: Int
}

struct Stand: Sendable {
  let street: String
  let bikes: Int
}

struct Offline: Error {}

final class StandService: Sendable {
  let isOnline = MutableProperty(true)
  private let network = QueueScheduler(name: "network")

  func stands(in region: Region) -> SignalProducer<[Stand], Offline> {
    SignalProducer { [isOnline, network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(10)) {
        guard isOnline.value else { return observer.send(error: Offline()) }
        let stands = (0..<3).map { Stand(street: "\(region.x)-\(region.y + $0)", bikes: $0 * 2) }
        observer.send(value: stands)
        observer.sendCompleted()
      }
    }
  }
}

final class BikeMapModel: Sendable {
  let region = MutableProperty(Region(x: 0, y: 0))
  let stands: Property<[Stand]>
  let isStale = MutableProperty(false)

  init(service: StandService) {
    let stale = isStale
    stands = Property(
      initial: [],
      then: region.producer
        .skipRepeats()
        .promoteError(Offline.self)
        .flatMap(.latest) { service.stands(in: $0) }
        .on(value: { _ in stale.value = false })
        .flatMapError { _ in  // culprit
          stale.value = true
          return SignalProducer<[Stand], Never>.empty
        }
        .named("stands"))
  }

  func show() {
    let streets = stands.value.map { "\($0.street) (\($0.bikes))" }
    print("at \(region.value.x):", streets.joined(separator: ", "), isStale.value ? "stale" : "")
  }
}

let service = StandService()
let model = BikeMapModel(service: service)
for stop in 1...7 {
  service.isOnline.value = stop != 4
  model.region.value = Region(x: stop * 10, y: 5)
  Thread.sleep(forTimeInterval: 0.06)
  model.show()
}
