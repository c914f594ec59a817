// Symptom: The first car of the day is washed. For the second one, the button at the gate does nothing,
// whatever programme the driver chooses.
// Looks at: the action that washes ("wash")
import Foundation
import Varve

enum Programme: String {
  case short
  case full
}

enum WashError: Error {
  case noWater
}

enum Stage {
  case soap
  case brushes
  case rinse
  case gateIsOpen
}

final class Tunnel {
  private let motor = QueueScheduler(name: "motor")

  func run(_ programme: Programme) -> SignalProducer<Stage, WashError> {
    let stages: [Stage] = programme == .full ? [.soap, .brushes, .rinse] : [.soap, .rinse]
    return SignalProducer { [motor] observer, lifetime in  // culprit
      for (index, stage) in stages.enumerated() {
        lifetime += motor.schedule(after: .milliseconds(15 * (index + 1))) {
          observer.send(value: stage)
        }
      }
      lifetime += motor.schedule(after: .milliseconds(15 * (stages.count + 1))) {
        observer.send(value: .gateIsOpen)
      }
    }
  }
}

final class Gate {
  let wash: Action<Programme, Stage, WashError>
  let light: Property<String>

  init(tunnel: Tunnel) {
    wash = Action(named: "wash") { tunnel.run($0) }
    light = wash.isExecuting.map { $0 ? "red" : "green" }
    wash.values.observeValues { print("  \($0)") }
    wash.errors.observeValues { print("  out of order: \($0)") }
  }

  func press(_ programme: Programme, plate: String) {
    print("\(plate): \(programme.rawValue), light \(light.value)")
    wash.apply(programme).start()
  }
}

let gate = Gate(tunnel: Tunnel())
gate.press(.full, plate: "AB 114")
Thread.sleep(forTimeInterval: 0.15)
gate.press(.short, plate: "KL 902")
Thread.sleep(forTimeInterval: 0.1)
gate.press(.full, plate: "KL 902")
Thread.sleep(forTimeInterval: 0.1)
