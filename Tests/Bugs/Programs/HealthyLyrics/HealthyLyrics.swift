// Symptom: None. Each line of the song lights up at its beat, until the last one.
// Looks at: shown (the line that is lit)
import Foundation
import Varve

final class SongServer: Sendable {
  private let network = QueueScheduler(name: "songs")

  /// The lines come in parcels, ahead of the music.
  func lines(of song: String) -> SignalProducer<[String], Never> {
    let text = ["Row, row, row", "your boat", "gently", "down the stream"]
    return SignalProducer.interval(
      [text.map { $0 + "," }, text.map { $0 + "." }], interval: .milliseconds(70), on: network)
  }
}

final class Metronome {
  let beats: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let audio = QueueScheduler(name: "audio")

  init() { (beats, input) = Signal.pipe(named: "beats") }

  func play(_ count: Int) {
    for beat in 1...count {
      audio.schedule(after: .milliseconds(90 + 25 * beat)) { [input] in input.send(value: beat) }
    }
  }
}

final class LyricsModel {
  let shown = MutableProperty("")
  let progress: Property<Int>
  private let server: SongServer

  init(_ server: SongServer) {
    self.server = server
    progress = Property(initial: 0, then: shown.signal.scan(0) { lit, _ in lit + 1 })
  }

  func open(_ song: String, with metronome: Metronome, on interface: any Scheduler) {
    shown
      <~ server.lines(of: song)
      .flatten()
      .zip(with: metronome.beats)
      .map { line, beat in "\(beat). \(line)" }
      .observe(on: interface)
  }
}

let metronome = Metronome()
let model = LyricsModel(SongServer())
model.shown.signal.named("shown").observeValues { print($0) }
model.open("Row your boat", with: metronome, on: QueueScheduler(name: "interface"))
metronome.play(8)
Thread.sleep(forTimeInterval: 0.5)
print("\(model.progress.value) of 8 lines")
