// Symptom: Subtitles are right at the beginning of the film and come later and later; memory grows
// while I watch.
// Looks at: the pictures with their subtitle ("shown")

import Foundation
import Varve

struct Frame {
  var number: Int
}

struct Cue {
  var from: Int
  var text: String
}

final class FilmPlayer {
  let decoder = QueueScheduler(name: "decoder")
  let subtitles = QueueScheduler(name: "subtitles")

  func frames() -> SignalProducer<Frame, Never> {
    SignalProducer.interval(.milliseconds(2), on: decoder)
      .map { Frame(number: $0) }
  }

  func cues() -> SignalProducer<Cue, Never> {
    SignalProducer.interval(.milliseconds(24), on: subtitles)
      .map { Cue(from: $0 * 12, text: "line \($0)") }
  }

  func pictures() -> SignalProducer<(Frame, Cue), Never> {
    frames()
      .zip(with: cues())  // culprit
      .named("shown")
  }
}

final class Screen {
  private(set) var frame = 0
  private(set) var text = ""

  func show(_ frame: Frame, _ cue: Cue) {
    self.frame = frame.number
    text = cue.text
  }
}

let player = FilmPlayer()
let screen = Screen()
let playing = player.pictures().startWithValues { frame, cue in screen.show(frame, cue) }
Thread.sleep(forTimeInterval: 1.2)
playing.dispose()
print("after 1.2 s the screen shows frame \(screen.frame) with \(screen.text)")
