// Symptom: I turn the chart of the sky to Orion and then to the Swan, and for a moment I read about the
// Swan; then the text about Orion stays there.
// Looks at: the text beside the chart ("caption")
import Foundation
import Varve

struct Constellation {
  let name: String
  let brightestStar: String
}

final class Almanac {
  private let disk = DispatchQueue(label: "almanac", attributes: .concurrent)
  private let stars = ["Orion": "Rigel", "Lyra": "Vega", "Swan": "Deneb"]

  func look(up name: String) -> SignalProducer<Constellation, Never> {
    SignalProducer { [disk, stars] observer, _ in
      // Rare pages are not in the memory.
      let time = name == "Orion" ? 0.12 : 0.02
      disk.asyncAfter(deadline: .now() + time) {
        observer.send(value: Constellation(name: name, brightestStar: stars[name] ?? "?"))
        observer.sendCompleted()
      }
    }
  }
}

final class ChartModel {
  let target = MutableProperty<String?>(nil, named: "target")
  let caption: Property<String>

  init(_ almanac: Almanac) {
    caption = Property(
      initial: "turn the chart",
      then: target.producer
        .skipNil()
        .flatMap(.merge) { almanac.look(up: $0) }  // culprit
        .map { "\($0.name): the brightest star is \($0.brightestStar)" }
        .named("caption"))
  }
}

let model = ChartModel(Almanac())
model.caption.signal.observeValues { print($0) }
model.target.value = "Lyra"
Thread.sleep(forTimeInterval: 0.06)
model.target.value = "Orion"
Thread.sleep(forTimeInterval: 0.04)
model.target.value = "Swan"
Thread.sleep(forTimeInterval: 0.25)
print("target: \(model.target.value ?? ""), caption: \(model.caption.value)")
