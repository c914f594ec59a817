// Symptom: The preview of the lens flickers, and the checker complains that the picture was set off
// the ui queue.
// Looks at: preview (the picture behind the sliders)
import Foundation
import Varve

let ui = QueueScheduler(name: "ui")
let uiKey = DispatchSpecificKey<Bool>()
ui.queue.setSpecific(key: uiKey, value: true)

struct Lens: Equatable, Sendable {
  var aperture = 4.0
  var millimetres = 35
}

final class Renderer: Sendable {
  private let gpu = QueueScheduler(name: "gpu")

  func render(_ lens: Lens) -> SignalProducer<String, Never> {
    SignalProducer(value: "\(lens.millimetres) mm, f/\(lens.aperture)")
      .delay(.milliseconds(8), on: gpu)
  }
}

final class PictureView {
  private(set) var picture = ""
  private(set) var complaints = 0

  func show(_ picture: String) {
    if DispatchQueue.getSpecific(key: uiKey) == nil { complaints += 1 }
    self.picture = picture
  }
}

final class LensModel {
  let lens = MutableProperty(Lens())
  let preview: Signal<String, Never>
  private let timers = QueueScheduler(name: "timers")

  init(_ renderer: Renderer) {
    preview = lens.signal
      .skipRepeats()
      .flatMap(.latest) { renderer.render($0) }
      .observe(on: ui)
      .map { "[\($0)]" }
      .debounce(.milliseconds(15), on: timers)  // culprit
      .skipRepeats()
      .named("preview")
  }
}

let model = LensModel(Renderer())
let view = PictureView()
model.preview.observeValues { view.show($0) }
for step in 0..<24 {
  model.lens.modify {
    $0.aperture = 2 + Double(step % 6)
    $0.millimetres = 24 + step
  }
  Thread.sleep(forTimeInterval: step % 4 == 3 ? 0.06 : 0.004)
}
Thread.sleep(forTimeInterval: 0.1)
print("\(view.picture), set off the ui queue \(view.complaints) times")
