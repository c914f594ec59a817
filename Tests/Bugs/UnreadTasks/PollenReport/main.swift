// Symptom: When I open the report of a season, the spinner appears and freezes for half a second.
// It should turn until the report is there.
// Looks at: the spinner ("spinner")

import Foundation

struct Sample: Sendable {
  let day: Int
  let grains: Int
}

func smoothed(_ samples: [Sample]) -> [Int] {
  var curve = samples.map(\.grains)
  let end = Date().addingTimeInterval(0.5)
  while Date() < end {
    for day in 1..<(curve.count - 1) {
      curve[day] = (curve[day - 1] + 2 * curve[day] + curve[day + 1]) / 4
    }
  }
  return curve
}

@MainActor
final class SeasonReport {
  private(set) var curve: [Int] = []

  func open(_ samples: [Sample]) {
    // In the background: a season takes a while.
    Task(name: "report") { curve = smoothed(samples) }  // culprit
  }
}

@MainActor
final class Spinner {
  private(set) var angle = 0
  private(set) var longestPause = Duration.zero

  func turn(until isDone: () -> Bool) async {
    let clock = ContinuousClock()
    var last = clock.now
    while !isDone() {
      angle += 15
      try? await Task.sleep(for: .milliseconds(16))
      longestPause = max(longestPause, clock.now - last)
      last = clock.now
    }
  }
}

let report = SeasonReport()
let spinner = Spinner()
let spinning = Task(name: "spinner") { await spinner.turn { !report.curve.isEmpty } }
try? await Task.sleep(for: .milliseconds(50))
report.open((1...200).map { Sample(day: $0, grains: ($0 * 37) % 90) })
await spinning.value
let pause = spinner.longestPause.formatted(.units(allowed: [.milliseconds]))
print("turned by \(spinner.angle)°, stood still for \(pause)")
