// Symptom: Flights that end on the ground get their report. The balloon that flew into the storm
// and lost its signal gets none, and the flight stays "in the air" on the board.
// Looks at: the flight's report ("flight 2")

import Foundation

struct Sounding: Sendable {
  let altitude: Int
  let celsius: Double
}

/// The receiver's driver; it calls back on its queue. Safety: all is set before it listens.
final class Receiver: @unchecked Sendable {
  var onSounding: (@Sendable (Sounding) -> Void)?
  var onLanded: (@Sendable () -> Void)?
  var onSignalLost: (@Sendable () -> Void)?
  private let queue = DispatchQueue(label: "receiver")

  func listen(lostAbove limit: Int) {
    queue.async { [self] in
      for altitude in [200, 4_000, 9_000, 16_000, 7_000, 300] {
        guard altitude < limit else {
          onSignalLost?()
          return
        }
        onSounding?(Sounding(altitude: altitude, celsius: 15 - Double(altitude) * 0.0065))
        usleep(5_000)
      }
      onLanded?()
    }
  }
}

struct Flight: Sendable {
  let number: Int
  let receiver = Receiver()

  func soundings(lostAbove limit: Int) -> AsyncStream<Sounding> {
    AsyncStream { continuation in
      receiver.onSounding = { continuation.yield($0) }
      receiver.onLanded = { continuation.finish() }
      receiver.onSignalLost = { print("flight \(number): signal lost") }
      receiver.listen(lostAbove: limit)
    }
  }

  func report(lostAbove limit: Int) async -> String {
    var highest = 0
    var coldest = Double.infinity
    for await sounding in soundings(lostAbove: limit) {  // culprit
      highest = max(highest, sounding.altitude)
      coldest = min(coldest, sounding.celsius)
    }
    return "flight \(number): \(highest) m, \(Int(coldest)) °C"
  }
}

let limits = [30_000, 12_000, 20_000]
let reports = limits.enumerated().map { index, limit in
  Task(name: "flight \(index + 1)") { await Flight(number: index + 1).report(lostAbove: limit) }
}
for report in reports { print(await report.value) }
