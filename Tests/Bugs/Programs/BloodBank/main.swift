// Symptom: The fridge was opened for minutes and warmed up to 9 °C, but no nurse was called. The log
// says that calls were made all night while it was cold.
// Looks at: the calls to the nurses ("calls")

import Foundation
import Varve

struct Sample {
  var fridge: String
  var celsius: Double
}

final class FridgeMonitor {
  static let allowed = 2.0...6.0

  let samples: Signal<Sample, Never>
  private let input: Signal<Sample, Never>.Observer

  init() { (samples, input) = Signal.pipe() }

  func measured(_ celsius: Double, in fridge: String) {
    input.send(value: Sample(fridge: fridge, celsius: celsius))
  }
}

final class NursePager {
  private(set) var pages: [String] = []

  func watch(_ monitor: FridgeMonitor) {
    monitor.samples
      .combinePrevious()
      // One sample may be wrong, two in a row are not.
      .filter { [$0, $1].allSatisfy { FridgeMonitor.allowed.contains($0.celsius) } }  // culprit
      .map { _, now in "Fridge \(now.fridge): \(now.celsius) °C" }
      .named("calls")
      .observeValues { [weak self] text in
        self?.pages.append(text)
        print("Calling: \(text)")
      }
  }
}

let monitor = FridgeMonitor()
let pager = NursePager()
pager.watch(monitor)
for celsius in [4.1, 4.0, 4.2, 4.1] { monitor.measured(celsius, in: "B2") }
for celsius in [7.9, 8.6, 9.0] { monitor.measured(celsius, in: "B2") }
let warm = pager.pages.filter { $0.contains("8.6") || $0.contains("9.0") }
print("Calls: \(pager.pages.count), while it was warm: \(warm.count)")
