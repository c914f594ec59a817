// Symptom: None. Each car is washed, and when the water is off the display says so.
// Looks at: the action that washes ("wash")
import Foundation
import Varve

enum WashError: Error {
  case noWater
}

final class Tunnel {
  private let motor = QueueScheduler(name: "motor")
  let hasWater = MutableProperty(true)

  func run(stages: [String]) -> SignalProducer<String, WashError> {
    SignalProducer { [motor, hasWater] observer, lifetime in
      for (index, stage) in stages.enumerated() {
        lifetime += motor.schedule(after: .milliseconds(10 * (index + 1))) {
          guard hasWater.value else { return observer.send(error: .noWater) }
          observer.send(value: stage)
          if index == stages.count - 1 { observer.sendCompleted() }
        }
      }
    }
  }
}

final class Gate {
  let wash: Action<[String], String, WashError>
  let display = MutableProperty("drive in")

  init(tunnel: Tunnel) {
    wash = Action(enabledIf: tunnel.hasWater, named: "wash") { tunnel.run(stages: $0) }
    display <~ wash.values
    display <~ wash.errors.map { "sorry: \($0)" }
    display <~ wash.completed.map(value: "drive out")
    display <~ wash.disabledErrors.map(value: "closed today")
  }

  func press(_ stages: [String]) { wash.apply(stages).start() }
}

let tunnel = Tunnel()
let gate = Gate(tunnel: tunnel)
gate.display.signal.observeValues { print("display: \($0)") }
for _ in 1...3 {
  gate.press(["soap", "brushes", "rinse"])
  Thread.sleep(forTimeInterval: 0.08)
}
gate.press(["soap", "rinse"])
Thread.sleep(forTimeInterval: 0.015)
tunnel.hasWater.value = false
Thread.sleep(forTimeInterval: 0.05)
gate.press(["soap"])
print("at the end: \(gate.display.value)")
