// Symptom: When I pinch the atlas, the map follows long after my fingers, and it goes on zooming
// when I have let go.
// Looks at: sheet (the map that is drawn)
import Foundation
import Varve

struct Zoom: Equatable, Sendable {
  let percent: Int
}

struct Sheet: Equatable, Sendable {
  let percent: Int
  let places: [String]
}

final class Engraver: Sendable {
  private let places = ["Aarhus", "Bergen", "Cork", "Dieppe", "Esbjerg", "Faro", "Ghent"]

  func engrave(_ zoom: Zoom) -> Sheet {
    Thread.sleep(forTimeInterval: 0.012)
    return Sheet(percent: zoom.percent, places: Array(places.prefix(1 + zoom.percent / 60)))
  }
}

final class AtlasModel {
  let sheet = MutableProperty(Sheet(percent: 100, places: []))
  private let (pinches, pinch) = Signal<Zoom, Never>.pipe()

  init(_ engraver: Engraver, on ui: QueueScheduler) {
    sheet
      <~ pinches
      .skipRepeats()
      .observe(on: ui)
      .map { engraver.engrave($0) }  // culprit
      .throttle(.milliseconds(80), on: ui)
      .skipRepeats()
  }

  func pinch(to percent: Int) { pinch.send(value: Zoom(percent: percent)) }
}

let model = AtlasModel(Engraver(), on: QueueScheduler(name: "ui"))
model.sheet.signal.named("sheet").observeValues { print("map at \($0.percent) %") }
for step in 1...60 {
  model.pinch(to: 100 + step * 5)
  Thread.sleep(forTimeInterval: 0.003)
}
let released = Date()
while model.sheet.value.percent < 400 && Date().timeIntervalSince(released) < 2 {
  Thread.sleep(forTimeInterval: 0.005)
}
print("the map stood \(Int(Date().timeIntervalSince(released) * 1_000)) ms after the fingers")
