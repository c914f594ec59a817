// Symptom: In the evening the dashcam copies the clips of the day to my phone. With one clip that
// is damaged it stops in the middle, and the clips after that never come.
// Looks at: the clips that have been copied ("copied")

import Foundation
import Varve

struct Clip: Sendable {
  let name: String
  let bytes: Int
}

/// The camera's own interface, with callbacks.
final class Dashcam: Sendable {
  private let wifi = DispatchQueue(label: "wifi")

  func read(_ name: String, completion: @escaping @Sendable (Data?) -> Void) {
    wifi.asyncAfter(deadline: .now() + .milliseconds(12)) {
      completion(name.contains("damaged") ? nil : Data(count: name.count * 1_000))
    }
  }
}

extension Dashcam {
  func clip(_ name: String) -> SignalProducer<Clip, Never> {
    SignalProducer { [self] observer, _ in
      read(name) { data in
        guard let data else { return }  // culprit
        observer.send(value: Clip(name: name, bytes: data.count))
        observer.sendCompleted()
      }
    }
  }
}

final class ClipSync {
  let progress: Property<Double>
  let gallery = MutableProperty<[Clip]>([])
  private let names: [String]

  init(_ camera: Dashcam, names: [String]) {
    self.names = names
    let copied = SignalProducer<String, Never>(names)
      .flatMap(.concat) { camera.clip($0) }
      .named("copied")
    gallery <~ copied.scan([]) { $0 + [$1] }
    progress = gallery.map { Double($0.count) / Double(names.count) }
  }
}

let sync = ClipSync(
  Dashcam(),
  names: [
    "08-12 motorway", "08-40 tunnel", "09-02 car park", "17-31 roundabout damaged",
    "17-45 bridge", "18-02 garage",
  ])
for _ in 0..<5 {
  Thread.sleep(forTimeInterval: 0.06)
  print("\(Int(sync.progress.value * 100)) %", sync.gallery.value.last?.name ?? "")
}
