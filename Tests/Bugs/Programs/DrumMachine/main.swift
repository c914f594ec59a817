// Symptom: The beat plays the first bar, then it is silent, although the transport still runs.
// Looks at: the hits that are played ("hits")

import Foundation
import Varve

struct Step {
  var index: Int
  var isAccent: Bool
}

final class Transport {
  let steps: Signal<Step, Never>
  let bars: Signal<Int, Never>
  private let input: Signal<Step, Never>.Observer

  init() {
    (steps, input) = Signal.pipe()
    bars = steps.filter { $0.index % 8 == 7 }.map { $0.index / 8 }
  }

  func run(_ count: Int) {
    for index in 0..<count { input.send(value: Step(index: index, isAccent: index % 4 == 0)) }
  }
}

final class DrumTrack {
  private(set) var played: [Int] = []
  private(set) var bar = 0

  func attach(to transport: Transport) {
    transport.bars.observeValues { [weak self] in self?.bar = $0 + 1 }
    transport.steps
      .filter { $0.index % 2 == 0 }
      .map { $0.isAccent ? $0.index * 10 : $0.index }
      .take(until: transport.bars.map { _ in () })  // culprit
      .named("hits")
      .observeValues { [weak self] in self?.played.append($0) }
  }
}

let transport = Transport()
let track = DrumTrack()
track.attach(to: transport)
transport.run(32)
print("bar \(track.bar), \(track.played.count) hits of 16")
