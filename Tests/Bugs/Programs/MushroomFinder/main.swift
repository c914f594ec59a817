// Symptom: I took a picture of some moss by mistake. Since then no mushroom is named any more, until I start
// the app again.
// Looks at: names (the name below the picture)
import Foundation
import Varve

struct Picture {
  let file: String
}

enum ScanError: Error {
  case noMushroom(in: String)
}

final class Classifier: Sendable {
  private let queue = QueueScheduler(name: "classifier")
  private let known = ["a1": "Parasol", "a2": "Penny bun", "a4": "Fly agaric", "a5": "Chanterelle"]

  func name(_ picture: Picture) -> SignalProducer<String, ScanError> {
    SignalProducer(value: picture.file)
      .delay(.milliseconds(12), on: queue)
      .attemptMap { [known] file in
        known[file].map { .success($0) } ?? .failure(.noMushroom(in: file))
      }
  }
}

final class FinderScreen {
  let shutter: Signal<Picture, Never>.Observer
  private(set) var label = ""

  init(_ classifier: Classifier) {
    let (pictures, shutter) = Signal<Picture, Never>.pipe(named: "pictures")
    self.shutter = shutter
    pictures
      .flatMap(.concat) { classifier.name($0) }  // culprit
      .named("names")
      .observe { [unowned self] event in
        if case .value(let name) = event { label = name }
      }
  }
}

let screen = FinderScreen(Classifier())
for file in ["a1", "a2", "a3", "a4", "a5"] {
  screen.shutter.send(value: Picture(file: file))
  Thread.sleep(forTimeInterval: 0.06)
  print("\(file): \(screen.label)")
}
