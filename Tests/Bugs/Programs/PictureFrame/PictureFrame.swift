// Symptom: With some heights of the window the scroll bar beside the picture comes and goes all the
// time, and the picture trembles with it.
// Looks at: picture height (how high the picture is drawn)
import Foundation
import Varve

struct Size {
  var width: Int
  var height: Int
}

final class PictureWindow {
  let window: MutableProperty<Size>
  let pictureHeight = MutableProperty(0, named: "picture height")
  let hasScrollBar = MutableProperty(false)
  private let contentWidth: MutableProperty<Int>
  private let layout = QueueScheduler(name: "layout")

  init(_ size: Size, aspect: Double) {
    window = MutableProperty(size)
    contentWidth = MutableProperty(size.width)

    pictureHeight
      <~ contentWidth.producer
      .skipRepeats()
      .map { Int(Double($0) / aspect) }
    hasScrollBar
      <~ window.producer.combineLatest(with: pictureHeight)
      .map { window, height in height > window.height }
      .skipRepeats()
    contentWidth
      <~ window.producer.combineLatest(with: hasScrollBar)  // culprit
      .map { window, hasBar in hasBar ? window.width - 16 : window.width }
      .observe(on: layout)
  }

  func resize(to size: Size) { window.value = size }
}

let frame = PictureWindow(Size(width: 640, height: 500), aspect: 4.0 / 3.0)
let changes = MutableProperty(0)
frame.hasScrollBar.signal.observeValues { _ in changes.modify { $0 += 1 } }

frame.resize(to: Size(width: 640, height: 475))
for _ in 0..<3 {
  Thread.sleep(forTimeInterval: 0.05)
  print("picture: \(frame.pictureHeight.value), the bar has changed \(changes.value) times")
}
frame.resize(to: Size(width: 640, height: 500))
Thread.sleep(forTimeInterval: 0.1)
let before = changes.value
Thread.sleep(forTimeInterval: 0.1)
print("in a higher window it changes \(changes.value - before) times")
