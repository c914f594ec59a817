// Symptom: Each puzzle that I open and close again makes the game bigger, and the phone gets warm.
// Looks at: the clock of the game ("clock")
import Foundation
import Varve

final class GameClock {
  let clock: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let timers = QueueScheduler(name: "timers")
  private var run: (any Disposable)?

  init() {
    let pipe = Signal<Int, Never>.pipe()
    clock = pipe.output.named("clock")
    input = pipe.input
  }

  func start() {
    run = SignalProducer.interval(.milliseconds(5), on: timers)
      .map { $0 + 1 }
      .startWithValues { [input] in input.send(value: $0) }
  }

  func stop() { run?.dispose() }
}

final class PuzzleScreen {
  static let open = MutableProperty(0)

  let name: String
  let remaining = MutableProperty(0)
  private let pieces: [Int]
  private let (lifetime, token) = Lifetime.make()

  init(_ name: String, clock: GameClock) {
    self.name = name
    pieces = Array(repeating: name.count, count: 20_000)
    Self.open.modify { $0 += 1 }
    clock.clock
      .take(during: lifetime)
      .filter { $0 % 2 == 0 }
      .map { 600 - $0 / 2 }
      .skipRepeats()
      .observeValues { self.tick($0) }  // culprit
  }

  private func tick(_ seconds: Int) {
    remaining.value = max(0, seconds - pieces.count / 1_000)
  }

  deinit { Self.open.modify { $0 -= 1 } }
}

let game = GameClock()
game.start()
for level in 1...40 {
  let screen = PuzzleScreen("Level \(level)", clock: game)
  Thread.sleep(forTimeInterval: 0.02)
  if screen.remaining.value < 0 { print("too late") }
}
game.stop()
print("puzzles still in memory: \(PuzzleScreen.open.value)")
