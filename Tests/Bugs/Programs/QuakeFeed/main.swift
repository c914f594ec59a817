// Symptom: When the server is down, the app asks it thousands of times in a second, and the phone
// becomes hot.
// Looks at: the requests for the list of earthquakes ("quakes")

import Foundation
import Varve

enum FeedError: Error {
  case unavailable
}

final class SeismicServer {
  private(set) var requests = 0
  private let network = QueueScheduler(name: "network")

  func latest() -> SignalProducer<[String], FeedError> {
    SignalProducer<[String], FeedError> { [self] observer, lifetime in
      lifetime += network.schedule { [self] in
        requests += 1
        observer.send(error: .unavailable)
      }
    }
    .named("quakes")
  }
}

final class QuakeMap {
  let markers = MutableProperty<[String]>([])
  private let server: SeismicServer
  private var loading: (any Disposable)?

  init(server: SeismicServer) { self.server = server }

  func appear() {
    loading = server.latest()
      .map { $0.filter { !$0.isEmpty } }
      .retry(upTo: 100_000)  // culprit
      .flatMapError { _ in SignalProducer<[String], Never>(value: ["offline"]) }
      .startWithValues { [markers] in markers.value = $0 }
  }

  func disappear() { loading?.dispose() }
}

let server = SeismicServer()
let map = QuakeMap(server: server)
map.appear()
Thread.sleep(forTimeInterval: 0.1)
map.disappear()
print("markers: \(map.markers.value), more than 100 requests: \(server.requests > 100)")
