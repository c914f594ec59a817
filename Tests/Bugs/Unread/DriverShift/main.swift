// Symptom: My shift always begins with the van of the depot, although I have saved my own van in the
// settings, and the settings show it.
// Looks at: the started shift ("shift")

import Foundation
import Varve

struct Van: Equatable {
  var plate: String
  var liters: Int

  static let depot = Van(plate: "DEPOT 1", liters: 9_000)
}

struct Shift {
  var van: Van
  var stops: [String]
}

final class Settings {
  let van = MutableProperty(Van.depot)
  private let disk = QueueScheduler(name: "disk")

  /// Reads what was saved.
  func load() {
    disk.schedule(after: .milliseconds(30)) { [van] in
      van.value = Van(plate: "HH-KR 208", liters: 6_500)
    }
  }
}

final class Dispatch {
  private let network = QueueScheduler(name: "dispatch")

  func shift(with van: Van) -> SignalProducer<Shift, Never> {
    let stops = (1...(van.liters / 1_000)).map { "stop \($0)" }
    return SignalProducer(value: Shift(van: van, stops: stops))
      .delay(.milliseconds(20), on: network)
  }
}

final class ShiftModel {
  let shift = MutableProperty<Shift?>(nil)
  let vanLabel: Property<String>

  init(settings: Settings, dispatch: Dispatch) {
    vanLabel = settings.van.map(\.plate)
    shift
      <~ settings.van.producer
      .take(first: 1)  // culprit
      .flatMap(.latest) { dispatch.shift(with: $0) }
      .named("shift")
      .map { Optional($0) }
  }
}

let settings = Settings()
settings.load()
let model = ShiftModel(settings: settings, dispatch: Dispatch())
Thread.sleep(forTimeInterval: 0.15)
print("settings: \(model.vanLabel.value)")
if let shift = model.shift.value {
  print("shift with \(shift.van.plate), \(shift.stops.count) stops")
}
