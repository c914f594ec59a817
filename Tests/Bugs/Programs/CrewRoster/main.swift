// Symptom: The page of the crew is right if I open it at once. If I open it a minute after the start of
// the app it is empty, until I leave it and the roster happens to change.
// Looks at: the names on the page of the crew ("crew")

import Foundation
import Varve

final class RosterServer: Sendable {
  let requests = MutableProperty(0)
  private let network = QueueScheduler(name: "network")

  /// Sends the roster, and again whenever it changes.
  func roster() -> SignalProducer<[String], Never> {
    SignalProducer { [requests, network] observer, lifetime in
      requests.modify { $0 += 1 }
      lifetime += network.schedule(after: .milliseconds(20)) {
        observer.send(value: ["Ayşe", "Bo", "Carmen"])
      }
      lifetime += network.schedule(after: .milliseconds(500)) {
        observer.send(value: ["Ayşe", "Bo", "Dilip"])
      }
    }
  }
}

/// One connection for all pages.
final class RosterStore: Sendable {
  let roster: Connection<[String], Never>

  init(server: RosterServer) {
    roster = server.roster().publish()  // culprit
    roster.connect()
  }
}

final class CrewPage: Sendable {
  let names: Property<[String]>

  init(store: RosterStore) {
    names = Property(initial: [], then: store.roster.producer.named("crew"))
  }

  var text: String { names.value.isEmpty ? "(nobody)" : names.value.joined(separator: ", ") }
}

let server = RosterServer()
let store = RosterStore(server: server)
let early = CrewPage(store: store)
Thread.sleep(forTimeInterval: 0.15)
print("opened at once: \(early.text)")
let late = CrewPage(store: store)
for _ in 1...3 {
  Thread.sleep(forTimeInterval: 0.08)
  print("opened later: \(late.text)")
}
Thread.sleep(forTimeInterval: 0.2)
print("after a change: \(late.text); \(server.requests.value) request")
