// Symptom: The bar of a finished upload shows 85 or 90 per cent, never all of it.
// Looks at: bar (the width of the progress bar)

import Foundation
import Varve

struct Model3D: Sendable {
  let name: String
  let chunks: Int
}

final class PrintFarm: Sendable {
  private let network = QueueScheduler(name: "network")

  /// The share that has arrived, after each chunk.
  func upload(_ model: Model3D) -> SignalProducer<Int, Never> {
    SignalProducer.interval(1...model.chunks, interval: .milliseconds(12), on: network)
      .map { 100 * $0 / model.chunks }
      .named("progress")
  }
}

final class UploadRow: Sendable {
  let title = MutableProperty("", named: "title")
  let bar = MutableProperty(0, named: "bar")
  private let screen = QueueScheduler(name: "screen")
  private let farm = PrintFarm()

  func upload(_ model: Model3D) {
    title.value = model.name
    bar
      <~ farm.upload(model)
      .throttle(.milliseconds(50), on: screen)  // culprit
      .on(completed: { [title] in title.modify { $0 += " ✓" } })
  }

  var text: String {
    "\(title.value) " + String(repeating: "▇", count: bar.value / 10) + " \(bar.value) %"
  }
}

let row = UploadRow()
row.upload(Model3D(name: "Gearbox", chunks: 20))
Thread.sleep(forTimeInterval: 0.15)
print(row.text)
Thread.sleep(forTimeInterval: 0.25)
print(row.text)
