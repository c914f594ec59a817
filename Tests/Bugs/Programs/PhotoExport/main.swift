// Symptom: Exporting the first album works. After that the export button is grey and nothing that I
// do wakes it up again.
// Looks at: the action that exports ("export")

import Foundation
import Varve

struct Album {
  var title: String
  var photos: [String]
}

final class Encoder {
  let finished: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private let queue = QueueScheduler(name: "encoder")

  init() { (finished, input) = Signal.pipe() }

  func encode(_ photos: [String]) {
    for (index, photo) in photos.enumerated() {
      queue.schedule(after: .milliseconds(10 * (index + 1))) { [input] in
        input.send(value: photo + ".heic")
      }
    }
  }
}

final class ExportModel {
  let encoder = Encoder()
  let exported = MutableProperty<[String]>([])
  let export: Action<Album, String, Never>

  init() {
    let encoder = self.encoder
    export = Action(named: "export") { album in
      SignalProducer(encoder.finished)  // culprit
        .on(started: { encoder.encode(album.photos) })
        .filter { $0.hasPrefix(album.title) }
    }
    exported <~ export.values.scan([String]()) { $0 + [$1] }
  }

  func pressExport(_ title: String) {
    let photos = (1...4).map { "\(title)-\($0)" }
    export.apply(Album(title: title, photos: photos)).start()
  }
}

let model = ExportModel()
model.pressExport("Alps")
Thread.sleep(forTimeInterval: 0.2)
model.pressExport("Coast")
Thread.sleep(forTimeInterval: 0.2)
model.pressExport("Garden")
Thread.sleep(forTimeInterval: 0.2)
print("exported \(model.exported.value), button enabled: \(model.export.isEnabled.value)")
