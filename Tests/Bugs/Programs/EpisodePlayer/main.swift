// Symptom: Every episode that I open makes the app bigger, and after twenty of them the progress
// bars stutter.
// Looks at: the position of the player ("position")

import Foundation
import Varve

struct Episode {
  var title: String
  var seconds: Int
}

final class AudioEngine {
  let position: Signal<Double, Never>
  private let input: Signal<Double, Never>.Observer
  private let audio = QueueScheduler(name: "audio")
  private var ticking: (any Disposable)?

  init() {
    let pipe = Signal<Double, Never>.pipe()
    position = pipe.output.named("position")
    input = pipe.input
  }

  func play() {
    ticking = SignalProducer.interval(.milliseconds(10), on: audio)
      .startWithValues { [input] in input.send(value: Double($0) / 100) }
  }

  func stop() { ticking?.dispose() }
}

final class EpisodeScreen {
  static var alive = 0

  let episode: Episode
  private(set) var progress = 0.0
  private let engine: AudioEngine
  private let observations = CompositeDisposable()

  init(episode: Episode, engine: AudioEngine) {
    self.episode = episode
    self.engine = engine
    Self.alive += 1
  }

  func appear() {
    observations += engine.position
      .skipRepeats()
      .observeValues { seconds in  // culprit
        self.progress = seconds / Double(self.episode.seconds)
      }
  }

  deinit {
    observations.dispose()
    Self.alive -= 1
  }
}

let engine = AudioEngine()
engine.play()
for number in 1...40 {
  let screen = EpisodeScreen(episode: Episode(title: "№ \(number)", seconds: 1_800), engine: engine)
  screen.appear()
  Thread.sleep(forTimeInterval: 0.025)
}
engine.stop()
print("screens alive: \(EpisodeScreen.alive)")
