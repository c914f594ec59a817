// Symptom: When I drag the map quickly, the little wheel goes on turning forever, although all the
// whales are there.
// Looks at: whether the map is loading ("isLoading")

import Foundation
import Varve

struct Region: Equatable {
  var latitude: Double
  var longitude: Double
}

struct Sighting {
  var species: String
}

final class SightingService {
  private let server = QueueScheduler(name: "server")

  func sightings(in region: Region) -> SignalProducer<[Sighting], Never> {
    SignalProducer { [server] observer, lifetime in
      lifetime += server.schedule(after: .milliseconds(60)) {
        let count = Int(region.latitude) % 5 + 1
        observer.send(value: Array(repeating: Sighting(species: "minke"), count: count))
        observer.sendCompleted()
      }
    }
  }
}

final class MapModel {
  let region = MutableProperty(Region(latitude: 66, longitude: -18))
  let sightings: Property<[Sighting]>
  let isLoading: Property<Bool>
  private let requests = MutableProperty(0)

  init(service: SightingService) {
    isLoading = requests.map { $0 > 0 }.skipRepeats()
    isLoading.signal.named("isLoading").observeValues { print($0 ? "loading…" : "done") }
    sightings = Property(
      initial: [],
      then: region.producer
        .skipRepeats()
        .flatMap(.latest) { [requests] region in
          service.sightings(in: region)
            .on(  // culprit
              starting: { requests.modify { $0 += 1 } },
              completed: { requests.modify { $0 -= 1 } })
        })
  }
}

let model = MapModel(service: SightingService())
Thread.sleep(forTimeInterval: 0.1)
for step in 1...5 {
  model.region.modify { $0.latitude += 0.5 * Double(step) }
  Thread.sleep(forTimeInterval: 0.02)
}
Thread.sleep(forTimeInterval: 0.2)
print("\(model.sightings.value.count) whales, loading: \(model.isLoading.value)")
