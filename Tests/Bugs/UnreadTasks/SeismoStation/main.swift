// Symptom: Since the station has an alarm, the plot looks ragged: it has gaps all over. And the
// alarm did not ring for one of the two strong shocks, though the geophone measured both.
// Looks at: the samples of the alarm ("alarm")

import Foundation

struct Sample: Sendable {
  let index: Int
  let micrometres: Double
}

final class Geophone: Sendable {
  let samples: AsyncStream<Sample>
  private let sink: AsyncStream<Sample>.Continuation

  init() { (samples, sink) = AsyncStream.makeStream() }

  func measure(_ count: Int) async throws {
    for index in 0..<count {
      let isShock = index == count / 3 || index == count / 3 * 2 + 1
      sink.yield(Sample(index: index, micrometres: isShock ? 900 : 3 * sin(Double(index))))
      try await Task.sleep(for: .milliseconds(2))
    }
    sink.finish()
  }
}

actor Plot {
  private(set) var points: [Sample] = []

  func follow(_ geophone: Geophone) async {
    for await sample in geophone.samples { points.append(sample) }
  }

  var gaps: Int {
    zip(points, points.dropFirst()).filter { $1.index != $0.index + 1 }.count
  }
}

actor Alarm {
  private let threshold = 500.0
  private(set) var shocks: [Int] = []
  private(set) var seen = 0

  func follow(_ geophone: Geophone) async {
    for await sample in geophone.samples {  // culprit
      seen += 1
      if abs(sample.micrometres) > threshold { shocks.append(sample.index) }
    }
  }
}

let geophone = Geophone()
let plot = Plot()
let alarm = Alarm()
let plotting = Task(name: "plot") { await plot.follow(geophone) }
let watching = Task(name: "alarm") { await alarm.follow(geophone) }
try await geophone.measure(150)
await plotting.value
await watching.value
print("the plot has \(await plot.points.count) points and \(await plot.gaps) gaps")
print("the alarm looked at \(await alarm.seen) samples, and rang for \(await alarm.shocks)")
