// Symptom: After a pause it does not tick again, however often I press the button.
// Looks at: ticks (the clicks)
import Foundation
import Varve

final class ClickTrack {
  let isPaused = MutableProperty(false)
  let beat = MutableProperty(0)
  private let clock = QueueScheduler(name: "clock")
  private let observations = CompositeDisposable()

  func start(bpm: Int) {
    let paused = isPaused.signal
      .filter { $0 }
      .map { _ in () }
    observations += beat
      <~ SignalProducer.interval(.milliseconds(60_000 / bpm), on: clock)
      .take(until: paused)  // culprit
      .map { $0 % 4 + 1 }
      .named("ticks")
  }

  func press() { isPaused.modify { $0.toggle() } }

  func close() { observations.dispose() }
}

final class Speaker {
  private(set) var clicks = 0

  init(_ track: ClickTrack) {
    track.beat.signal.observeValues { [unowned self] _ in clicks += 1 }
  }
}

let track = ClickTrack()
let speaker = Speaker(track)
track.start(bpm: 3_000)
Thread.sleep(forTimeInterval: 0.25)
track.press()
print("\(speaker.clicks) clicks, then a pause")
Thread.sleep(forTimeInterval: 0.1)
track.press()
Thread.sleep(forTimeInterval: 0.3)
track.close()
print("\(speaker.clicks) clicks altogether")
