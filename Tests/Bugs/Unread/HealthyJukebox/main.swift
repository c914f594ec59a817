// Symptom: None. Songs are requested in bursts, some of them twice, and skipped; the list keeps the
// last five, and the cover is that of the song that plays.
// Looks at: the cover ("cover")

import Foundation
import Varve

final class CoverStore: Sendable {
  private let disk = QueueScheduler(name: "disk")

  func cover(of song: String) -> SignalProducer<String, Never> {
    SignalProducer<String, Never>(value: "[\(song)]")
      .delay(.milliseconds(20), on: disk)
      .named("load")
  }
}

final class Jukebox {
  let playing: Signal<String, Never>
  let recent: Property<[String]>
  let cover = MutableProperty("[blank]")
  private let input: Signal<String, Never>.Observer

  init(_ store: CoverStore) {
    (playing, input) = Signal.pipe(named: "playing")
    recent = Property(
      initial: [],
      then: playing.scan(into: []) { list, song in
        list.append(song)
        if list.count > 5 { list.removeFirst() }
      })
    // A song that was skipped needs no cover any more.
    cover <~ playing.skipRepeats().flatMap(.latest) { store.cover(of: $0) }.named("cover")
  }

  func play(_ song: String) { input.send(value: song) }
  func close() { input.sendCompleted() }
}

let jukebox = Jukebox(CoverStore())
for evening in 1...3 {
  for song in ["Africa", "Africa", "Roxanne", "Jolene"] {
    jukebox.play("\(song) \(evening)")
    Thread.sleep(forTimeInterval: 0.005)
  }
  Thread.sleep(forTimeInterval: 0.08)

  // The guest's phone shows the covers only while it is open.
  let phone = jukebox.cover.producer.startWithValues { print("phone: \($0)") }
  jukebox.play("Help \(evening)")
  Thread.sleep(forTimeInterval: 0.08)
  phone.dispose()
}
jukebox.close()
Thread.sleep(forTimeInterval: 0.05)
print(jukebox.cover.value, jukebox.recent.value)
