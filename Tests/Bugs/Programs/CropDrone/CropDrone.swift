// Symptom: One of the drone's pictures was too dark to be analysed, which happens. But from then on
// the map of the field did not get any further patches.
// Looks at: patches (the coloured squares of the map)
import Foundation
import Varve

struct Picture: Sendable {
  let row: Int
  let brightness: Double
}

struct Patch: Sendable {
  let row: Int
  let drought: Double
}

enum AnalysisError: Error {
  case tooDark(row: Int)
}

final class Analysis: Sendable {
  private let gpu = QueueScheduler(name: "gpu")
  let complaints = MutableProperty<[String]>([])

  func analyse(_ picture: Picture) -> SignalProducer<Patch, AnalysisError> {
    SignalProducer<Patch, AnalysisError> { () -> Result<Patch, AnalysisError> in
      picture.brightness < 0.2
        ? .failure(.tooDark(row: picture.row))
        : .success(Patch(row: picture.row, drought: 1 - picture.brightness))
    }
    .start(on: gpu)
  }
}

final class FieldMap {
  let patches = MutableProperty<[Patch]>([])
  private let (pictures, camera) = Signal<Picture, Never>.pipe()

  init(_ analysis: Analysis) {
    patches
      <~ pictures
      .skip(while: { $0.row == 0 })
      .flatMap(.concat) { analysis.analyse($0) }
      .flatMapError { error in  // culprit
        analysis.complaints.modify { $0.append("\(error)") }
        return SignalProducer<Patch, Never>.empty
      }
      .filter { $0.drought > 0.1 }
      .scan(into: [Patch]()) { $0.append($1) }
  }

  func take(_ row: Int, brightness: Double) {
    camera.send(value: Picture(row: row, brightness: brightness))
  }
}

let analysis = Analysis()
let map = FieldMap(analysis)
map.patches.signal.named("patches").observeValues { print("\($0.count) patches") }
for (row, brightness) in [0.5, 0.6, 0.7, 0.5, 0.1, 0.6, 0.8, 0.7, 0.6, 0.5].enumerated() {
  map.take(row, brightness: brightness)
  Thread.sleep(forTimeInterval: 0.03)
}
Thread.sleep(forTimeInterval: 0.1)
print("rows 1 to 9: \(map.patches.value.map(\.row)), complaints: \(analysis.complaints.value)")
