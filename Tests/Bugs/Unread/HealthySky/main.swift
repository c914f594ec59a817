// Symptom: None. Whoever turns the chart quickly reads about the last constellation.
// Looks at: the text beside the chart ("caption")
import Foundation
import Varve

enum AlmanacError: Error {
  case torn
}

final class Almanac {
  private let disk = QueueScheduler(name: "almanac")
  private let stars = ["Orion": "Rigel", "Lyra": "Vega", "Swan": "Deneb"]

  func look(up name: String) -> SignalProducer<String, AlmanacError> {
    SignalProducer { [disk, stars] observer, lifetime in
      lifetime += disk.schedule(after: .milliseconds(name == "Orion" ? 60 : 15)) {
        guard let star = stars[name] else { return observer.send(error: .torn) }
        observer.send(value: "\(name): the brightest star is \(star)")
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
        .skipRepeats()
        .flatMap(.latest) { name in
          almanac.look(up: name)
            .flatMapError { _ in SignalProducer(value: "\(name): this page is torn") }
            .prefix(value: "…")
        }
        .named("caption"))
  }
}

let model = ChartModel(Almanac())
model.caption.signal.observeValues { print($0) }
for name in ["Lyra", "Orion", "Swan", "Swan", "Nimbus", "Lyra"] {
  model.target.value = name
  Thread.sleep(forTimeInterval: 0.03)
}
Thread.sleep(forTimeInterval: 0.05)
print("caption: \(model.caption.value)")
