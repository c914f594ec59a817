// Symptom: None. The list shows the trips for what was typed last; if the railway is slow, those of the
// printed timetable.
// Looks at: trips (the list)
import Foundation
import Varve

enum RailwayError: Error {
  case overloaded
  case slow
}

final class Railway: Sendable {
  private let queue = QueueScheduler(name: "railway")

  func trips(to town: String) -> SignalProducer<[String], RailwayError> {
    SignalProducer { [queue] observer, lifetime in
      let pause = town == "Passau" ? 400 : 20 + 3 * town.count
      lifetime += queue.schedule(after: .milliseconds(pause)) {
        if town == "Ulm" { return observer.send(error: .overloaded) }
        observer.send(value: ["\(town) 8:02", "\(town) 9:32"])
        observer.sendCompleted()
      }
    }
  }
}

struct Timetable {
  func trips(to town: String) -> [String] { ["\(town), every hour"] }
}

final class TripModel {
  let town = MutableProperty("")
  let trips: Property<[String]>
  let isSearching = MutableProperty(false)

  init(_ railway: Railway, timetable: Timetable, clock: any TimedScheduler) {
    trips = Property(
      initial: [],
      then: town.signal
        .skipRepeats()
        .flatMap(.latest) { [isSearching] town in
          railway.trips(to: town)
            .timeout(after: .milliseconds(90), raising: .slow, on: clock)
            .retry(upTo: 1)
            .flatMapError { _ in SignalProducer(value: timetable.trips(to: town)) }
            .on(starting: { isSearching.value = true }, completed: { isSearching.value = false })
        }
        .skipRepeats())
  }
}

let clock = QueueScheduler(name: "clock")
let model = TripModel(Railway(), timetable: Timetable(), clock: clock)
model.trips.signal.named("trips").observeValues { print($0) }
model.isSearching.signal.skipRepeats().observeValues { print($0 ? "…" : "ready") }

for town in ["B", "Be", "Ber", "Bern", "Berlin", "Berlin", "Ulm"] {
  model.town.value = town
  Thread.sleep(forTimeInterval: town.count == 4 ? 0.06 : 0.012)
}
Thread.sleep(forTimeInterval: 0.15)
model.town.value = "Passau"
Thread.sleep(forTimeInterval: 0.3)
model.town.value = "Graz"
Thread.sleep(forTimeInterval: 0.15)
