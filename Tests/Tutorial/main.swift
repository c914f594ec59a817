import Varve

/// What the user has chosen.
let unit = MutableProperty("C", named: "unit")
/// What the thermometer measures.
let (readings, thermometer) = Signal<Double, Never>.pipe(named: "readings")

let label = readings.producer
  .combineLatest(with: unit.signal)
  .map { degrees, unit in
    unit == "F" ? "\(degrees * 9 / 5 + 32) °F" : "\(degrees) °C"
  }
  .named("label")

label.startWithValues { print($0) }

for degrees in [19.5, 20, 20.5] {
  thermometer.send(value: degrees)
}
