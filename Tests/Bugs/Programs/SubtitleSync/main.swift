// Symptom: The longer the film, the more memory the player uses, and the subtitle lags behind the
// picture by minutes.
// Looks at: the pairs of frame and subtitle ("shown")

import Foundation
import Varve

struct Frame {
  var number: Int
  var seconds: Double
}

struct Cue {
  var text: String
}

final class Player {
  let frames: Signal<Frame, Never>
  let cues: Signal<Cue, Never>
  private let frameInput: Signal<Frame, Never>.Observer
  private let cueInput: Signal<Cue, Never>.Observer

  init() {
    (frames, frameInput) = Signal.pipe()
    (cues, cueInput) = Signal.pipe()
  }

  func play(_ number: Int) {
    if number % 48 == 0 { cueInput.send(value: Cue(text: "Line \(number / 48)")) }
    frameInput.send(value: Frame(number: number, seconds: Double(number) / 24))
  }
}

final class SubtitleOverlay {
  private(set) var last = ""

  func attach(to player: Player) {
    player.frames
      .filter { $0.seconds >= 0 }
      .zip(with: player.cues.skipRepeats { $0.text == $1.text })  // culprit
      .map { frame, cue in "frame \(frame.number): \(cue.text)" }
      .named("shown")
      .observeValues { [weak self] in self?.last = $0 }
  }
}

let player = Player()
let overlay = SubtitleOverlay()
overlay.attach(to: player)
for number in 0..<2_400 { player.play(number) }
print("The film is at frame 2399; the overlay at: \(overlay.last)")
