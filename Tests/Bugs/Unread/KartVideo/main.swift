// Symptom: The video of my helmet camera with the speed in it falls behind more and more. At the end of
// the first minute it shows a curve that I left ten seconds ago.
// Looks at: the pictures with the speed ("overlay")

import Foundation
import Varve

struct Picture: Sendable {
  let number: Int
  let taken: Date
}

final class HelmetCamera: Sendable {
  let pictures: Signal<Picture, Never>
  private let input: Signal<Picture, Never>.Observer
  private let queue = QueueScheduler(name: "camera")

  init() { (pictures, input) = Signal.pipe(named: "pictures") }

  func record() -> any Disposable {
    SignalProducer.interval(.milliseconds(4), on: queue).startWithValues { [input] number in
      input.send(value: Picture(number: number, taken: Date()))
    }
  }
}

final class SpeedSensor: Sendable {
  let speeds: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let queue = QueueScheduler(name: "gps")

  init() { (speeds, input) = Signal.pipe(named: "speeds") }

  func begin() -> any Disposable {
    SignalProducer.interval(.milliseconds(20), on: queue).startWithValues { [input] tick in
      input.send(value: 48 + tick % 9)
    }
  }
}

final class Overlay: Sendable {
  let shown: Property<(picture: Picture, speed: Int)?>

  init(camera: HelmetCamera, sensor: SpeedSensor) {
    shown = Property(
      initial: nil,
      then: camera.pictures
        .zip(with: sensor.speeds)  // culprit
        .map { (picture: $0, speed: $1) }
        .named("overlay"))
  }
}

let camera = HelmetCamera()
let sensor = SpeedSensor()
let overlay = Overlay(camera: camera, sensor: sensor)
let drive = CompositeDisposable([camera.record(), sensor.begin()])
for second in 1...5 {
  Thread.sleep(forTimeInterval: 0.25)
  guard let (picture, speed) = overlay.shown.value else { continue }
  let age = Int(Date().timeIntervalSince(picture.taken) * 1_000)
  print("\(second): picture \(picture.number), \(speed) km/h, taken \(age) ms ago")
}
drive.dispose()
