// Symptom: None. The lever and the dial of the chairlift follow each other, and the motor follows
// both.
// Looks at: the frequency that the motor gets ("frequency")

import Foundation
import Varve

/// Steps of the lever, and metres a second on the dial: 0.5 each.
enum Gear {
  static func step(_ speed: Double) -> Int { Int((speed * 2).rounded()) }
  static func speed(_ step: Int) -> Double { Double(step) / 2 }
}

final class LiftConsole {
  let lever = MutableProperty(0)
  let dial = MutableProperty(0.0)
  let isStopped = MutableProperty(false)

  init() {
    dial <~ lever.signal.map { Gear.speed($0) }.skipRepeats()
    lever <~ dial.signal.map { Gear.step($0) }.skipRepeats()
  }
}

protocol Motor: AnyObject {
  var frequency: BindingTarget<Double> { get }
}

final class RopeMotor: Motor, Sendable {
  let hertz = MutableProperty(0.0)
  let orders = MutableProperty(0)

  var frequency: BindingTarget<Double> {
    BindingTarget(lifetime: hertz.lifetime) { [hertz, orders] in
      orders.modify { $0 += 1 }
      hertz.value = $0
    }
  }
}

final class LiftControl {
  private let (lifetime, token) = Lifetime.make()

  /// The motor takes no more than one order in a while, and none of them may be the same twice.
  init(_ console: LiftConsole, motor: any Motor, on clock: any TimedScheduler) {
    let wanted = SignalProducer.combineLatest(console.dial.producer, console.isStopped.producer)
      .map { speed, isStopped in isStopped ? 0 : speed * 10 }
    motor.frequency
      <~ wanted
      .throttle(.milliseconds(15), on: clock)
      .skipRepeats()
      .take(during: lifetime)
      .named("frequency")
  }
}

let console = LiftConsole()
let motor = RopeMotor()
let show = { (what: String) in
  Thread.sleep(forTimeInterval: 0.06)
  let (lever, dial) = (console.lever.value, console.dial.value)
  print("\(what): lever \(lever), dial \(dial), \(motor.hertz.value) Hz")
}
var control: LiftControl? = LiftControl(console, motor: motor, on: QueueScheduler(name: "plc"))

show("morning")
for step in 1...9 { console.lever.value = step }
show("pushed at once")
console.dial.value = 3.5
show("turned")
console.isStopped.value = true
show("someone fell")
console.isStopped.value = false
show("goes on")
console.dial.value = 2
show("slowly")
console.lever.value = 0
show("evening")
control = nil
console.lever.value = 2
show("at night")
print("\(motor.orders.value) orders")
