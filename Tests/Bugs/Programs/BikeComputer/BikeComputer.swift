// Symptom: I brake hard and stand, and the computer on the handlebar still shows 31 km/h. It
// follows only every few moments.
// Looks at: the speed on the handlebar ("speed")
import Foundation
import Varve

struct WheelTurn {
  let milliseconds: Double
}

final class Wheel {
  let turns: Signal<WheelTurn, Never>
  private let input: Signal<WheelTurn, Never>.Observer

  init() { (turns, input) = Signal.pipe() }

  func roll(speed: Double) {
    // A turn is 2.1 m.
    let time = speed > 0 ? 2.1 / (speed / 3.6) * 1_000 : .infinity
    input.send(value: WheelTurn(milliseconds: time))
    Thread.sleep(forTimeInterval: 0.01)
  }
}

struct DisplaySettings {
  var isMetric = true
}

final class BikeComputer {
  let speed: Property<Int>
  private let display = QueueScheduler(name: "display")

  init(_ wheel: Wheel, settings: DisplaySettings) {
    speed = Property(
      initial: 0,
      then: wheel.turns
        .map { 2.1 / ($0.milliseconds / 1_000) * 3.6 }
        .throttle(.seconds(30), on: display)  // culprit
        .map { Int((settings.isMetric ? $0 : $0 / 1.609).rounded()) }
        .skipRepeats())
  }
}

let wheel = Wheel()
let computer = BikeComputer(wheel, settings: DisplaySettings())
computer.speed.signal.named("speed").observeValues { print("display: \($0) km/h") }
for _ in 0..<10 { wheel.roll(speed: 31) }
for speed in stride(from: 30.0, through: 0, by: -2) { wheel.roll(speed: speed) }
for _ in 0..<20 { wheel.roll(speed: 0) }
print("I stand. The display says \(computer.speed.value)")
