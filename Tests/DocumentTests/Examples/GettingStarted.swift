import Testing
import Varve

@Suite("GettingStarted.md") struct GettingStartedExamples {
  @Test("The mended program shows each temperature")
  func mended() {
    let unit = MutableProperty("C", named: "unit")
    let (readings, thermometer) = Signal<Double, Never>.pipe(named: "readings")
    let shown = MutableProperty<[String]>([])
    // example
    let label = readings.producer
      .combineLatest(with: unit)
      .map { degrees, unit in
        unit == "F" ? "\(degrees * 9 / 5 + 32) °F" : "\(degrees) °C"
      }
      .named("label")
    // end
    label.startWithValues { text in shown.modify { $0.append(text) } }
    for degrees in [19.5, 20, 20.5] { thermometer.send(value: degrees) }
    #expect(shown.value == ["19.5 °C", "20.0 °C", "20.5 °C"])
  }
}
