// Symptom: None; this works. The display may leave out readings, but shows the newest one.
// Looks at: the display ("display")

import Foundation

actor Barometer {
  private var measuring: Task<Void, Never>?
  private(set) var measured = 0

  /// Measures as long as somebody looks.
  func readings() -> AsyncStream<Double> {
    let (readings, needle) = AsyncStream.makeStream(
      of: Double.self, bufferingPolicy: .bufferingNewest(1))
    let measuring = Task(name: "barometer") {
      while !Task.isCancelled {
        needle.yield(measure())
        try? await Task.sleep(for: .milliseconds(4))
      }
    }
    needle.onTermination = { _ in measuring.cancel() }
    self.measuring = measuring
    return readings
  }

  private func measure() -> Double {
    measured += 1
    return 1_030 - Double(measured) / 4
  }

  func stopped() async { await measuring?.value }
}

@MainActor
final class Display {
  private(set) var shown: [Double] = []

  /// Shows the pressure until there is a storm.
  func watch(_ barometer: Barometer, storm: Double) async {
    for await pressure in await barometer.readings() {
      shown.append(pressure)
      if pressure < storm { break }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }
}

let barometer = Barometer()
let display = Display()
let watching = Task(name: "display") { await display.watch(barometer, storm: 1_005) }
await watching.value
await barometer.stopped()
let measured = await barometer.measured
print("storm at \(display.shown.last ?? 0) hPa")
print("measured \(measured), shown \(display.shown.count)")
try? await Task.sleep(for: .milliseconds(50))
print("measured since: \(await barometer.measured - measured)")
