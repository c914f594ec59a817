// Symptom: I swap away the last stamp on a page while I have it under the magnifier, and the app is
// gone.
// Looks at: the stamp under the magnifier ("magnified")

import Foundation
import Varve

struct Stamp: Equatable {
  let country: String
  let year: Int
}

final class AlbumPage {
  let stamps = MutableProperty<[Stamp]>([])
  let chosen = MutableProperty(0)

  func choose(_ index: Int) {
    chosen.value = index
  }

  func swapAway(_ stamp: Stamp) {
    stamps.modify { $0.removeAll { $0 == stamp } }
    chosen.value = min(chosen.value, max(stamps.value.count - 1, 0))
  }
}

final class Magnifier {
  let magnified: SignalProducer<Stamp, Never>
  let caption: Property<String>

  init(_ page: AlbumPage) {
    magnified = SignalProducer.combineLatest(page.stamps.producer, page.chosen.producer)
      .filter { stamps, _ in !stamps.isEmpty }
      .map { stamps, index in stamps[index] }  // culprit
      .skipRepeats()
      .named("magnified")
    caption = Property(
      initial: "(empty)", then: magnified.map { "\($0.country), \($0.year)" })
  }
}

let page = AlbumPage()
let magnifier = Magnifier(page)
magnifier.caption.producer.startWithValues { print("under the magnifier:", $0) }

page.stamps.value = [
  Stamp(country: "Mauritius", year: 1847),
  Stamp(country: "Saxony", year: 1850),
  Stamp(country: "Hawaii", year: 1851),
  Stamp(country: "Basel", year: 1845),
]
for index in [2, 1, 3] {
  page.choose(index)
  Thread.sleep(forTimeInterval: 0.02)
}
page.choose(0)
page.swapAway(Stamp(country: "Saxony", year: 1850))
Thread.sleep(forTimeInterval: 0.02)
page.choose(page.stamps.value.count - 1)
Thread.sleep(forTimeInterval: 0.02)
page.swapAway(Stamp(country: "Basel", year: 1845))
Thread.sleep(forTimeInterval: 0.02)
print("\(page.stamps.value.count) stamps left")
