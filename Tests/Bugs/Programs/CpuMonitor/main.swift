// Symptom: The little monitor in the menu bar shows the load of the last minute. After a week it
// needs more memory than the browser, and it is at the top of its own list.
// Looks at: curve (the line that is drawn)

import Foundation
import Varve

struct Sample {
  let second: Int
  let percent: Double
}

final class Processor {
  private let kernel = QueueScheduler(name: "kernel")

  func load(every interval: Duration) -> SignalProducer<Sample, Never> {
    SignalProducer.interval(interval, on: kernel)
      .map { Sample(second: $0, percent: 40 + 30 * sin(Double($0) / 9)) }
  }
}

final class MenuBarItem {
  static let width = 20

  let curve = MutableProperty("", named: "curve")
  let warning = MutableProperty(false)
  let held = MutableProperty(0)
  private let (lifetime, token) = Lifetime.make()

  init(_ processor: Processor) {
    let samples = processor.load(every: .milliseconds(2))
      .take(during: lifetime)
      .replayLazily(upTo: 1)
    let recent =
      samples
      .scan([Sample]()) { $0 + [$1] }  // culprit
      .replayLazily(upTo: 1)
    curve
      <~ recent
      .map { samples in
        samples.suffix(Self.width).map { "▁▂▃▄▅▆▇█".character(at: $0.percent) }.joined()
      }
    held <~ recent.map(\.count)
    warning <~ samples.map { $0.percent > 65 }.skipRepeats()
  }
}

extension String {
  func character(at percent: Double) -> String {
    let step = min(count - 1, Int(percent / 100 * Double(count)))
    return String(self[index(startIndex, offsetBy: step)])
  }
}

let item = MenuBarItem(Processor())
for week in 1...4 {
  Thread.sleep(forTimeInterval: 0.2)
  print("week \(week): \(item.curve.value)\(item.warning.value ? " !" : "")")
  print("  \(item.held.value) samples in memory")
}
