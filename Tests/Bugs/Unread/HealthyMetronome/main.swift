// Symptom: None. It ticks, pauses and goes on.
// Looks at: ticks (the clicks)
import Foundation
import Varve

final class ClickTrack {
  let isPaused = MutableProperty(false)
  let ticks: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let clock = QueueScheduler(name: "clock")
  private let observations = CompositeDisposable()

  init() { (ticks, input) = Signal.pipe(named: "ticks") }

  func start(bpm: Int) {
    observations += isPaused.producer
      .skipRepeats()
      .flatMap(.latest) { [clock] isPaused in
        isPaused
          ? SignalProducer<Int, Never>.empty
          : SignalProducer.interval(.milliseconds(60_000 / bpm), on: clock)
      }
      .map { $0 % 4 + 1 }
      .startWithValues { [input] in input.send(value: $0) }
  }

  func press() { isPaused.modify { $0.toggle() } }

  func close() { observations.dispose() }
}

final class Speaker {
  private(set) var clicks = 0
  private(set) var accents = 0

  init(_ track: ClickTrack) {
    track.ticks.observeValues { [unowned self] _ in clicks += 1 }
    track.ticks
      .filter { $0 == 1 }
      .observeValues { [unowned self] _ in accents += 1 }
  }
}

let track = ClickTrack()
let speaker = Speaker(track)
track.start(bpm: 3_000)
for _ in 1...2 {
  Thread.sleep(forTimeInterval: 0.2)
  track.press()
  print("\(speaker.clicks) clicks, then a pause")
  Thread.sleep(forTimeInterval: 0.1)
  track.press()
}
Thread.sleep(forTimeInterval: 0.2)
track.close()
print("\(speaker.clicks) clicks, \(speaker.accents) accents")
