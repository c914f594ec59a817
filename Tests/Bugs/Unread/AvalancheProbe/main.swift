// Symptom: Of every line that the team has probed the last few holes are missing in the hut.
// Looks at: bundles (what the radio sends)
import Foundation
import Varve

struct Hole {
  let number: Int
  let depth: Int
}

final class ProbeLine: Sendable {
  private let stick = QueueScheduler(name: "stick")
  let count: Int

  init(count: Int) { self.count = count }

  func holes() -> SignalProducer<Hole, Never> {
    SignalProducer.interval(1...count, interval: .milliseconds(11), on: stick)
      .map { Hole(number: $0, depth: 140 + $0 * 7 % 30) }
  }
}

final class Radio {
  let sent: Signal<[Hole], Never>
  private let input: Signal<[Hole], Never>.Observer
  private let clock = QueueScheduler(name: "radio")

  init() { (sent, input) = Signal.pipe(named: "bundles") }

  func transmit(_ line: ProbeLine) {
    line.holes()
      .collect(every: .milliseconds(80), on: clock, skipEmpty: true)  // culprit
      .startWithValues { [input] in input.send(value: $0) }
  }
}

let radio = Radio()
var hut: [Int] = []
radio.sent.observeValues { bundle in hut += bundle.map(\.depth) }
let lines = [ProbeLine(count: 19), ProbeLine(count: 26)]
for line in lines {
  radio.transmit(line)
  Thread.sleep(forTimeInterval: 0.45)
}
print("probed \(lines.map(\.count).reduce(0, +)) holes, the hut has \(hut.count)")
