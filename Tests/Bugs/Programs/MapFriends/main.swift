// Symptom: The longer I move the map about, the hotter the phone gets. The positions of friends
// arrive for places that I left long ago.
// Looks at: the friends on the map ("friends")

import Foundation
import Varve

struct Region: Equatable {
  var x: Int
  var y: Int
}

struct Friend {
  var name: String
  var region: Region
}

final class LocationServer {
  private let queue = QueueScheduler(name: "server")

  /// The friends in a region, told again and again while somebody is interested.
  func friends(in region: Region) -> SignalProducer<[Friend], Never> {
    SignalProducer.interval(.milliseconds(20), on: queue)
      .map { tick in
        (0..<(1 + tick % 3)).map { Friend(name: "friend \($0)", region: region) }
      }
  }
}

final class MapModel {
  let center = MutableProperty(Region(x: 0, y: 0))
  let friends = MutableProperty<[Friend]>([])
  private(set) var answers = 0

  init(server: LocationServer) {
    friends
      <~ center.producer
      .skipRepeats()
      .flatMap(.merge) { server.friends(in: $0) }  // culprit
      .named("friends")
      .on(value: { [unowned self] _ in answers += 1 })
  }

  func drag(to x: Int, _ y: Int) { center.value = Region(x: x, y: y) }
}

let server = LocationServer()
let map = MapModel(server: server)
for step in 1...40 {
  map.drag(to: step, step / 3)
  Thread.sleep(forTimeInterval: 0.025)
}
let before = map.answers
Thread.sleep(forTimeInterval: 0.2)
print("answers in 0.2 s while the map stands still: \(map.answers - before)")
