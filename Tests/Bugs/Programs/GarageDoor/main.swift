// Symptom: I close the garage from the car, and the app says "closed" for an instant and then "open",
// while the door is shut.
// Looks at: door (the state in the app)
import Foundation
import Varve

enum Door: String {
  case open
  case closed
}

final class Motor {
  let (positions, sensor) = Signal<Door, Never>.pipe(named: "sensor")
  private let wire = QueueScheduler(name: "wire")

  func move(to door: Door, after milliseconds: Int) {
    wire.schedule(after: .milliseconds(milliseconds)) { [sensor] in sensor.send(value: door) }
  }
}

/// Passes on what the door tells it, to phones wherever they are.
final class Cloud {
  let (states, push) = Signal<Door, Never>.pipe(named: "cloud")
  private let server = QueueScheduler(name: "server")

  func connect(_ motor: Motor) {
    motor.positions.observeValues { [server, push] door in
      server.schedule(after: .milliseconds(50)) { push.send(value: door) }
    }
  }
}

final class GarageModel {
  let door = MutableProperty(Door.closed, named: "door")
  private let home = QueueScheduler(name: "home network")

  init(_ motor: Motor, _ cloud: Cloud) {
    door <~ motor.positions.observe(on: home)
    // When we are away from home.
    door <~ cloud.states  // culprit
  }
}

final class GarageScreen {
  init(_ model: GarageModel) {
    model.door.signal.observeValues { print("the door is \($0.rawValue)") }
  }
}

let motor = Motor()
let cloud = Cloud()
cloud.connect(motor)
let model = GarageModel(motor, cloud)
let screen = GarageScreen(model)
motor.move(to: .open, after: 20)
motor.move(to: .closed, after: 40)
motor.move(to: .open, after: 150)
motor.move(to: .closed, after: 175)
Thread.sleep(forTimeInterval: 0.21)
print("shown: \(model.door.value.rawValue)")
Thread.sleep(forTimeInterval: 0.1)
