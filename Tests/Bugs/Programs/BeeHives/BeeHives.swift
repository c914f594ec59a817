// Symptom: I look after my hives from afar. The page shows today's weight beside a temperature
// that was measured long ago; with each hour they are further apart.
// Looks at: the line of the hive ("hive")
import Foundation
import Varve

struct Reading {
  let minute: Int
  let value: Double
}

final class Probe {
  let readings: Signal<Reading, Never>
  private let input: Signal<Reading, Never>.Observer

  init() { (readings, input) = Signal.pipe() }

  func measure(_ value: Double, minute: Int) {
    input.send(value: Reading(minute: minute, value: value))
  }
}

final class Hive {
  let scale = Probe()
  let thermometer = Probe()

  func line() -> Signal<String, Never> {
    Signal.zip(scale.readings, thermometer.readings)  // culprit
      .map { weight, warmth in
        "\(weight.value) kg at \(weight.minute)', \(warmth.value)° at \(warmth.minute)'"
      }
  }
}

let hive = Hive()
hive.line().named("hive").observeValues { print($0) }
for minute in 0..<40 {
  hive.thermometer.measure(33 + Double(minute) / 10, minute: minute)
  if minute.isMultiple(of: 5) { hive.scale.measure(41 - Double(minute) / 50, minute: minute) }
  Thread.sleep(forTimeInterval: 0.01)
}
