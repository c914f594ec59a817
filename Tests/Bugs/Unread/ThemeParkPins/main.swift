// Symptom: I drag my pin on the park's map to where my friends shall meet me. On their phones it stays
// somewhere on the way, not where I dropped it.
// Looks at: the places that are sent to the friends ("share")

import Foundation
import Varve

struct Spot: Equatable, Sendable, CustomStringConvertible {
  let x: Int
  let y: Int

  var description: String { "(\(x), \(y))" }
}

/// What the friends see.
final class GroupServer: Sendable {
  let pin = MutableProperty(Spot(x: 0, y: 0))
  private let network = QueueScheduler(name: "network")

  func move(to spot: Spot) -> SignalProducer<Spot, Never> {
    SignalProducer { [pin, network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(35)) {
        pin.value = spot
        observer.send(value: spot)
        observer.sendCompleted()
      }
    }
  }
}

final class PinEditor: Sendable {
  let spot = MutableProperty(Spot(x: 0, y: 0))
  let sent: Property<Int>

  init(server: GroupServer) {
    let moves = spot.signal
      .skipRepeats()
      .flatMap(.throttle) { server.move(to: $0) }  // culprit
      .named("share")
    sent = Property(initial: 0, then: moves.producer.scan(0) { count, _ in count + 1 })
  }
}

struct Drag {
  let from: Spot
  let to: Spot

  func points(_ count: Int) -> [Spot] {
    (1...count).map { step in
      Spot(
        x: from.x + (to.x - from.x) * step / count,
        y: from.y + (to.y - from.y) * step / count)
    }
  }
}

let server = GroupServer()
let editor = PinEditor(server: server)
let drags = [
  Drag(from: Spot(x: 0, y: 0), to: Spot(x: 120, y: 80)),
  Drag(from: Spot(x: 120, y: 80), to: Spot(x: 40, y: 200)),
]
for drag in drags {
  for point in drag.points(12) {
    editor.spot.value = point
    Thread.sleep(forTimeInterval: 0.01)
  }
  Thread.sleep(forTimeInterval: 0.15)
  print("dropped at \(editor.spot.value), the friends see \(server.pin.value)")
}
print("\(editor.sent.value) messages")
