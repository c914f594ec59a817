// Symptom: The search for stickers works for a while. Then I try something odd, the list is empty,
// and from then on it stays empty, whatever I type.
// Looks at: the stickers found ("stickers")

import Foundation
import Varve

final class StickerPicker {
  let query = MutableProperty("")
  let stickers: Property<[Sticker]>

  init(catalog: any StickerCatalog, on scheduler: any TimedScheduler) {
    let found = query.signal
      .debounce(.milliseconds(15), on: scheduler)
      .skipRepeats()
      .flatMap(.latest) { text in catalog.stickers(matching: text) }
      .flatMapError { _ in SignalProducer<[Sticker], Never>(value: []) }  // culprit
      .named("stickers")
    stickers = Property(initial: [], then: found)
  }
}

let ui = QueueScheduler(name: "ui")
let picker = StickerPicker(catalog: RemoteCatalog(), on: ui)
picker.stickers.signal.observeValues { list in
  print(list.isEmpty ? "(no stickers)" : list.map(\.emoji).joined(separator: " "))
}
for text in ["cat", "dog", "cake", "c*t", "cat", "cow", "cake"] {
  for end in text.indices {
    picker.query.value = String(text[...end])
    Thread.sleep(forTimeInterval: 0.004)
  }
  Thread.sleep(forTimeInterval: 0.09)
}
print("typed: \(picker.query.value), shown: \(picker.stickers.value.count)")
