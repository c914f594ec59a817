// Symptom: The catalog of lamps is fetched over the slow line of the theatre three times when I open
// the desk. It was to be fetched once.
// Looks at: catalog (the catalog that comes over the line)
import Foundation
import Varve

struct Lamp: Sendable {
  let name: String
  let watts: Int
}

final class Theatre: Sendable {
  private let line = QueueScheduler(name: "line")

  func fetch() -> SignalProducer<[Lamp], Never> {
    SignalProducer {
      print("fetching the catalog")
      return [Lamp(name: "profile", watts: 750), Lamp(name: "fresnel", watts: 1200)]
    }
    .delay(.milliseconds(30), on: line)
    .named("catalog")
  }
}

final class LightDesk: Sendable {
  private let theatre: Theatre
  let names = MutableProperty<[String]>([])
  let load = MutableProperty(0)
  let count = MutableProperty(0)

  /// Fetched once, for all parts of the desk.
  var catalog: SignalProducer<[Lamp], Never> {
    theatre.fetch().replayLazily(upTo: 1)  // culprit
  }

  init(_ theatre: Theatre) { self.theatre = theatre }

  func open() {
    names <~ catalog.map { $0.map(\.name) }
    load <~ catalog.map { $0.reduce(0) { $0 + $1.watts } }
    count <~ catalog.map(\.count)
  }
}

let desk = LightDesk(Theatre())
desk.open()
Thread.sleep(forTimeInterval: 0.3)
print("\(desk.count.value) lamps, \(desk.load.value) W: \(desk.names.value)")
