// Symptom: None. Either field may be edited, and the other follows.
// Looks at: celsius (the upper field), fahrenheit (the lower field)
import Foundation
import Varve

/// In tenths of a degree, so that both directions agree.
struct Scale {
  func fahrenheit(_ celsius: Int) -> Int { celsius * 9 / 5 + 320 }
  func celsius(_ fahrenheit: Int) -> Int { (fahrenheit - 320) * 5 / 9 }
}

final class OvenModel {
  let celsius = MutableProperty(1_800, named: "celsius")
  let fahrenheit = MutableProperty(3_560, named: "fahrenheit")
  let limit = MutableProperty(2_500)
  let text: Property<String>

  init() {
    let scale = Scale()
    text = celsius.combineLatest(with: limit)
      .map { celsius, limit in "\(celsius / 10) °C\(celsius == limit ? " (the most)" : "")" }
      .skipRepeats()
    fahrenheit
      <~ celsius.signal
      .skipRepeats()
      .map { scale.fahrenheit($0) }
    celsius
      <~ fahrenheit.signal
      .skipRepeats()
      .filter { [celsius] in scale.fahrenheit(celsius.value) != $0 }
      .map { scale.celsius($0) }
    // What is too hot is corrected, once.
    celsius.signal
      .withLatest(from: limit)
      .filter { $0 > $1 }
      .observeValues { [weak celsius] _, limit in celsius?.value = limit }
  }
}

let oven = OvenModel()
oven.text.signal.observeValues { print($0) }

oven.celsius.value = 2_000
Thread.sleep(forTimeInterval: 0.05)
oven.fahrenheit.value = 3_740
Thread.sleep(forTimeInterval: 0.05)
oven.celsius.value = 3_100
Thread.sleep(forTimeInterval: 0.05)
oven.limit.value = 2_600
oven.fahrenheit.value = 4_820
Thread.sleep(forTimeInterval: 0.05)
print("\(oven.celsius.value) \(oven.fahrenheit.value)")
