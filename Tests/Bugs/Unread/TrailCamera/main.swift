// Symptom: The camera in the wood sends me the first fox of the night, and after a bird on the branch
// nothing more until I restart it, though the memory card is full of animals.
// Looks at: the pictures on my phone ("pictures")
import Foundation
import Varve

struct Motion {
  let animal: String
  let warmth: Double
}

final class HeatSensor {
  let (motions, input) = Signal<Motion, Never>.pipe(named: "motions")
  private let queue = QueueScheduler(name: "sensor")

  func night() {
    let visitors = [
      ("fox", 0.8), ("deer", 0.9), ("wren", 0.2), ("badger", 0.85), ("fox", 0.7), ("owl", 0.3),
      ("boar", 0.95),
    ]
    for (index, (animal, warmth)) in visitors.enumerated() {
      queue.schedule(after: .milliseconds(15 * (index + 1))) { [input] in
        input.send(value: Motion(animal: animal, warmth: warmth))
      }
    }
  }
}

final class TrailCamera {
  private let lens = QueueScheduler(name: "lens")
  private(set) var onCard = 0
  let threshold = 0.5

  func pictures(_ sensor: HeatSensor) -> Signal<String, Never> {
    sensor.motions.observeValues { [weak self] _ in self?.onCard += 1 }
    return sensor.motions
      .take(while: { [threshold] in $0.warmth > threshold })  // culprit
      .observe(on: lens)
      .map { "a \($0.animal) at the feeder" }
      .named("pictures")
  }
}

let sensor = HeatSensor()
let camera = TrailCamera()
camera.pictures(sensor).observeValues { print("phone: \($0)") }
sensor.night()
Thread.sleep(forTimeInterval: 0.2)
print("on the card: \(camera.onCard)")
