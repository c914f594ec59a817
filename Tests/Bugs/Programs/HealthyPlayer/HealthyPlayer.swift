// Symptom: None. The bar follows the song that plays, and is at zero when another one begins.
// Looks at: position (the bar)
import Foundation
import Varve

struct Song: Equatable {
  let title: String
  let seconds: Int
}

final class Player {
  let song = MutableProperty<Song?>(nil)
  let isPlaying = MutableProperty(false)
  let position: Property<Int>
  let label: Property<String>

  init(on audio: any TimedScheduler) {
    let changes = song.producer.skipRepeats().combineLatest(with: isPlaying.producer.skipRepeats())
    position = Property(
      initial: 0,
      then: changes.flatMap(.latest) { song, isPlaying -> SignalProducer<Int, Never> in
        guard let song, isPlaying else { return SignalProducer(value: 0) }
        return SignalProducer.interval(0...song.seconds, interval: .milliseconds(20), on: audio)
      })
    label = song.map { $0.map { "\($0.title), \($0.seconds) s" } ?? "nothing" }
  }

  func play(_ song: Song) {
    self.song.value = song
    isPlaying.value = true
  }

  func stop() { isPlaying.value = false }
}

let player = Player(on: QueueScheduler(name: "audio"))
player.label.producer.startWithValues { print("♪ \($0)") }
player.position.signal.named("position").observeValues { print($0) }

player.play(Song(title: "Clocks", seconds: 4))
Thread.sleep(forTimeInterval: 0.2)
player.play(Song(title: "Yellow", seconds: 30))
Thread.sleep(forTimeInterval: 0.15)
player.stop()
Thread.sleep(forTimeInterval: 0.1)
