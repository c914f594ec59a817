// Symptom: The fridge with the vaccines stood at eleven degrees for half the night, and later at
// minus one. The alarm stayed silent both times.
// Looks at: alarm (what the siren plays)
import Foundation
import Varve

struct Reading: Sendable {
  let fridge: Int
  let celsius: Double
}

struct Limits: Sendable {
  var lowest = 2.0
  var highest = 8.0
}

final class SensorHub: Sendable {
  let readings: Signal<Reading, Never>
  private let input: Signal<Reading, Never>.Observer

  init() { (readings, input) = Signal.pipe() }

  func received(_ celsius: Double, from fridge: Int) {
    input.send(value: Reading(fridge: fridge, celsius: celsius))
  }
}

final class ColdChain: Sendable {
  let limits = MutableProperty(Limits())
  let display = MutableProperty("--")
  let siren = MutableProperty("off")

  init(_ hub: SensorHub) {
    display
      <~ hub.readings
      .map { "fridge \($0.fridge): \($0.celsius) °C" }
      .skipRepeats()
    siren
      <~ hub.readings
      .withLatest(from: limits)
      .filter { reading, limits in  // culprit
        reading.celsius < limits.lowest && reading.celsius > limits.highest
      }
      .map { reading, _ in "two tones for fridge \(reading.fridge)" }
      .skipRepeats()
      .named("alarm")
  }
}

let hub = SensorHub()
let chain = ColdChain(hub)
chain.display.signal.observeValues { print($0) }
chain.siren.signal.observeValues { print("SIREN: \($0)") }
let night = [4.5, 4.5, 5.0, 7.5, 11.0, 11.5, 9.0, 6.0, 3.5, 1.0, -1.0, 2.5]
for celsius in night {
  hub.received(celsius, from: 2)
  hub.received(5, from: 3)
  Thread.sleep(forTimeInterval: 0.01)
}
print("the siren at the end: \(chain.siren.value)")
