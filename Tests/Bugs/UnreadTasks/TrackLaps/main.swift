// Symptom: At the sports day the board of the running track counts well while the children run one
// by one. When they come past the gate in a bunch, it counts too few of their laps.
// Looks at: the board ("board")

import Foundation

struct Crossing: Sendable {
  let runner: String
  let second: Int
}

protocol Gate: Sendable {
  var crossings: AsyncStream<Crossing> { get }
}

/// The loop in the ground that feels the chips on the shoes.
final class GroundLoop: Gate {
  let crossings: AsyncStream<Crossing>
  private let pulses: AsyncStream<Crossing>.Continuation

  init() {
    (crossings, pulses) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))  // culprit
  }

  func feel(_ runner: String, at second: Int) {
    pulses.yield(Crossing(runner: runner, second: second))
  }

  func switchOff() { pulses.finish() }
}

@MainActor
final class LapBoard {
  private var laps: [String: Int] = [:]

  /// Each lap is shown for a moment, with the name of the runner.
  func show(_ gate: some Gate) async {
    for await crossing in gate.crossings {
      laps[crossing.runner, default: 0] += 1
      try? await Task.sleep(for: .milliseconds(15))
    }
  }

  func result(of runner: String) -> String {
    "\(runner): \(laps[runner, default: 0]) laps"
  }
}

struct Race {
  let runners: [String]
  let loop: GroundLoop

  func apart(laps: Int) async throws {
    for lap in 1...laps {
      for (index, runner) in runners.enumerated() {
        loop.feel(runner, at: lap * 60 + index)
        try await Task.sleep(for: .milliseconds(30))
      }
    }
  }

  func bunched(laps: Int) async throws {
    for lap in 1...laps {
      for runner in runners { loop.feel(runner, at: lap * 60) }
      try await Task.sleep(for: .milliseconds(90))
    }
  }
}

let loop = GroundLoop()
let board = LapBoard()
let showing = Task(name: "board") { await board.show(loop) }
let race = Race(runners: ["Ada", "Ben", "Cleo", "Dan"], loop: loop)
try await race.apart(laps: 2)
print("after two laps, one by one")
for runner in race.runners { print("  " + board.result(of: runner)) }
try await race.bunched(laps: 3)
loop.switchOff()
await showing.value
print("after three more laps, in a bunch")
for runner in race.runners { print("  " + board.result(of: runner)) }
