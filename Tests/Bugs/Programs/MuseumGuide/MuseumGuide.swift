// Symptom: My audio guide has five stops in this room. My daughter put on her headphones a
// little later, and her list has the last stop alone.
// Looks at: second list (the stops on her screen)
import Foundation
import Varve

struct Stop: Sendable {
  let number: Int
  let title: String
}

final class Beacon {
  private let radio = QueueScheduler(name: "radio")

  func stops() -> SignalProducer<Stop, Never> {
    let titles = ["Vase", "Helmet", "Coin", "Mask", "Mirror"]
    let stops = titles.enumerated().map { Stop(number: $0 + 1, title: $1) }
    return SignalProducer.interval(stops, interval: .milliseconds(15), on: radio)
  }
}

final class Room {
  let stops: SignalProducer<Stop, Never>

  init(_ beacon: Beacon) {
    stops = beacon.stops()
      .filter { !$0.title.isEmpty }
      .replayLazily(upTo: 1)  // culprit
  }
}

final class Headphones {
  let list: Property<[String]>

  init(_ room: Room) {
    list = Property(
      initial: [], then: room.stops.scan([]) { $0 + ["\($1.number) \($1.title)"] })
  }
}

let room = Room(Beacon())
let mine = Headphones(room)
Thread.sleep(forTimeInterval: 0.2)
let hers = Headphones(room)
hers.list.producer.named("second list").startWithValues { print("hers: \($0)") }
print("mine: \(mine.list.value)")
