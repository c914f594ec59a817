// Symptom: I set my desk to 75 cm, and it goes up, and up, in small steps, until I pull the plug.
// Looks at: where the motor is to go (the property "target")

import Foundation
import Varve

/// The motor in the legs. Heights are in millimetres, from the floor to the top.
final class DeskMotor: Sendable {
  let target = MutableProperty(720, named: "target")
  let bus = QueueScheduler(name: "bus")
}

final class DeskPage: Sendable {
  let wanted = MutableProperty(720)
  let text: Property<String>
  private let ui = QueueScheduler(name: "ui")

  init(motor: DeskMotor) {
    text = wanted.map { "\($0 / 10) cm" }
    motor.target
      <~ wanted.signal
      .skipRepeats()
      .delay(.milliseconds(4), on: motor.bus)
    // The buttons at the desk itself move the motor, too.
    wanted
      <~ motor.target.signal
      .skipRepeats()
      .map { $0 + 25 }  // culprit
      .observe(on: ui)
  }
}

let motor = DeskMotor()
let page = DeskPage(motor: motor)
print("\(page.text.value), motor at \(motor.target.value) mm")
page.wanted.value = 750
for _ in 1...5 {
  Thread.sleep(forTimeInterval: 0.06)
  print("\(page.text.value), motor at \(motor.target.value) mm")
}
