// Symptom: None; this works.
// Looks at: pictures (what the camera's album gets)

import Foundation
import Varve

enum CameraError: Error {
  case fog
}

final class PierCamera: Sendable {
  private let shutter = QueueScheduler(name: "shutter")

  /// In fog there is no picture, however often one tries.
  func shoot(_ hour: Int) -> SignalProducer<String, CameraError> {
    SignalProducer<String, CameraError> { () -> Result<String, CameraError> in
      (5...6).contains(hour) ? .failure(.fog) : .success("pier-\(hour).jpg")
    }
    .delay(.milliseconds(5), on: shutter)
  }
}

final class PierAlbum: Sendable {
  let pictures = MutableProperty<[String]>([], named: "pictures")

  init(hours: Signal<Int, Never>, camera: PierCamera) {
    pictures
      <~ hours
      .flatMap(.concat) { hour in
        camera.shoot(hour)
          .retry(upTo: 2)
          .flatMapError { _ in SignalProducer<String, Never>.empty }
      }
      .scan([]) { $0 + [$1] }
  }
}

let (hours, clock) = Signal<Int, Never>.pipe(named: "hours")
let album = PierAlbum(hours: hours, camera: PierCamera())
for hour in 3...9 {
  clock.send(value: hour)
  Thread.sleep(forTimeInterval: 0.03)
}
Thread.sleep(forTimeInterval: 0.1)
print(album.pictures.value.joined(separator: " "))
