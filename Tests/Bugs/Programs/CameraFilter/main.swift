// Symptom: With the cartoon filter on, the picture from the camera runs behind what I do, more with
// every second, and then the app is killed for its memory.
// Looks at: the pictures that are shown ("preview")

import Foundation
import Varve

struct Frame {
  var number: Int
  var taken: Date
  var pixels: [UInt8]
}

final class Camera {
  private let capture = QueueScheduler(qos: .userInteractive, name: "capture")

  func frames() -> SignalProducer<Frame, Never> {
    SignalProducer.interval(.milliseconds(3), on: capture)
      .map { number in
        let pixels = [UInt8](repeating: UInt8(number % 251), count: 4_096)
        return Frame(number: number, taken: Date(), pixels: pixels)
      }
  }
}

enum Filter {
  case none
  case cartoon

  func apply(_ frame: Frame) -> Frame {
    guard self == .cartoon else { return frame }
    var result = frame
    for index in result.pixels.indices { result.pixels[index] &= 0xE0 }
    Thread.sleep(forTimeInterval: 0.009)
    return result
  }
}

final class Preview {
  let filter = MutableProperty(Filter.none)
  private(set) var shown = 0
  private(set) var age = 0.0
  private let render = QueueScheduler(name: "render")

  func show(_ camera: Camera) -> any Disposable {
    camera.frames()
      .observe(on: render)  // culprit
      .map { [filter] in filter.value.apply($0) }
      .named("preview")
      .startWithValues { [unowned self] frame in
        shown += 1
        age = Date().timeIntervalSince(frame.taken)
      }
  }
}

let preview = Preview()
let running = preview.show(Camera())
Thread.sleep(forTimeInterval: 0.3)
print("plain: \(preview.shown) pictures, the last \(Int(preview.age * 1_000)) ms old")
preview.filter.value = .cartoon
Thread.sleep(forTimeInterval: 1.2)
running.dispose()
print("cartoon: \(preview.shown) pictures, the last \(Int(preview.age * 1_000)) ms old")
