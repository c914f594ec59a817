// Symptom: None; the button takes one sharp picture, and then it can be pressed again.
// Looks at: the reading of a meter ("read")

import Foundation
import Varve

struct Picture: Sendable {
  let digits: Int
  let sharpness: Int
}

final class MeterCamera: Sendable {
  let pictures: Signal<Picture, Never>
  private let input: Signal<Picture, Never>.Observer
  private let queue = QueueScheduler(name: "camera")

  init() { (pictures, input) = Signal.pipe(named: "pictures") }

  func run() -> any Disposable {
    SignalProducer.interval(.milliseconds(10), on: queue).startWithValues { [input] number in
      input.send(value: Picture(digits: 48_210 + number / 20, sharpness: number % 7 * 15))
    }
  }
}

final class MeterPage: Sendable {
  let read: Action<Void, Int, Never>
  let readings = MutableProperty<[Int]>([])

  init(_ camera: MeterCamera) {
    read = Action(named: "read") { _ in
      camera.pictures.producer.filter { $0.sharpness > 80 }.map(\.digits).take(first: 1)
    }
    readings <~ read.values.scan([]) { $0 + [$1] }
  }

  func press() { read.apply().start() }
}

let camera = MeterCamera()
let running = camera.run()
let page = MeterPage(camera)
for flat in 1...4 {
  print("flat \(flat): the button is \(page.read.isEnabled.value ? "blue" : "grey")")
  page.press()
  Thread.sleep(forTimeInterval: 0.15)
}
running.dispose()
print("\(page.readings.value.count) readings")
