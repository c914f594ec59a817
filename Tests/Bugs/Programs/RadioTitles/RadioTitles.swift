// Symptom: The radio app shows the song that is on. When I change the station I hear the new one, but
// the line goes on with the songs of the first.
// Looks at: song (the line below the station)
import Foundation
import Varve

final class Station: Sendable {
  let name: String
  private let list: [String]
  private let stream = QueueScheduler(name: "stream")

  init(_ name: String, playing list: [String]) {
    self.name = name
    self.list = list
  }

  /// The songs, for as long as the station is on the air.
  func songs() -> SignalProducer<String, Never> {
    SignalProducer.interval(.milliseconds(25), on: stream)
      .scan(0) { count, _ in count + 1 }
      .map { [name, list] in "\(name): \(list[$0 % list.count])" }
  }
}

final class RadioModel {
  let station: MutableProperty<Station>
  let song: Property<String>
  let title: Property<String>

  init(_ station: Station, on interface: any Scheduler) {
    self.station = MutableProperty(station)
    title = self.station.map { "♪ \($0.name)" }
    song = Property(
      initial: "",
      then: self.station.producer
        .skipRepeats { $0 === $1 }
        .flatMap(.concat) { $0.songs() }  // culprit
        .observe(on: interface))
  }

  func tune(to station: Station) { self.station.value = station }
}

let jazz = Station("Jazz FM", playing: ["So What", "Naima", "Footprints"])
let opera = Station("Opera 1", playing: ["Casta diva", "E lucevan le stelle"])
let model = RadioModel(jazz, on: QueueScheduler(name: "interface"))
model.song.signal.named("song").observeValues { print($0) }
Thread.sleep(forTimeInterval: 0.15)
model.tune(to: opera)
print("[\(model.title.value)]")
Thread.sleep(forTimeInterval: 0.2)
print("at the end: \(model.title.value), \(model.song.value)")
