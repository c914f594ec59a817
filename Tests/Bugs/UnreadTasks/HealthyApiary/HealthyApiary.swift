// Symptom: none. The display of the hive may skip weights, as only the newest is of interest; the
// log keeps all; both end with the day.
// Looks at: the display ("display")

import Foundation

final class HiveScale: Sendable {
  let newest: AsyncStream<Double>
  let all: AsyncStream<Double>
  private let display: AsyncStream<Double>.Continuation
  private let log: AsyncStream<Double>.Continuation

  init() {
    (newest, display) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (all, log) = AsyncStream.makeStream()
  }

  func measured(_ kilograms: Double) {
    display.yield(kilograms)
    log.yield(kilograms)
  }

  func endOfDay() {
    display.finish()
    log.finish()
  }
}

@MainActor
final class HiveScreen {
  private(set) var text = ""
  private(set) var drawn = 0

  func follow(_ scale: HiveScale) async {
    for await weight in scale.newest {
      text = String(format: "%.1f kg", weight)
      drawn += 1
      try? await Task.sleep(for: .milliseconds(15))
    }
  }
}

actor HiveLog {
  private(set) var weights: [Double] = []

  func keep(_ scale: HiveScale) async {
    for await weight in scale.all { weights.append(weight) }
  }
}

let scale = HiveScale()
let screen = HiveScreen()
let log = HiveLog()
let display = Task(name: "display") { await screen.follow(scale) }
let keeping = Task(name: "log") { await log.keep(scale) }
for step in 0..<100 {
  scale.measured(31 + Double(step) / 50)
  try await Task.sleep(for: .milliseconds(2))
}
scale.endOfDay()
await display.value
await keeping.value
print("\(screen.text), \(await log.weights.count) in the log, skipped: \(screen.drawn < 100)")
