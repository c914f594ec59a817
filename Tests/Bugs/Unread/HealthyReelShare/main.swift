// Symptom: None; the film is rendered once, though three parts of the page want to know about it.
// Looks at: the rendering ("render")

import Foundation
import Varve

final class Renderer: Sendable {
  let renderings = MutableProperty(0)
  private let queue = QueueScheduler(name: "renderer")

  /// Renders a film, and sends how much of it is done, in per cent.
  func render(frames: Int) -> SignalProducer<Int, Never> {
    SignalProducer { [renderings, queue] observer, lifetime in
      renderings.modify { $0 += 1 }
      queue.schedule {
        for frame in 1...frames where !lifetime.hasEnded {
          Thread.sleep(forTimeInterval: 0.002)
          observer.send(value: frame * 100 / frames)
        }
        observer.sendCompleted()
      }
    }
    .named("render")
  }
}

final class ReelPage: Sendable {
  let progress = MutableProperty("")
  let isShareable = MutableProperty(false)
  let log = MutableProperty<[String]>([])

  func export(with renderer: Renderer) {
    let rendering = renderer.render(frames: 90).replayLazily(upTo: 1)
    progress <~ rendering.map { "\($0) %" }
    rendering.startWithCompleted { [isShareable] in isShareable.value = true }
    log <~ rendering.filter { $0 % 25 == 0 }.skipRepeats().scan([]) { $0 + ["\($1) % done"] }
  }
}

let renderer = Renderer()
let page = ReelPage()
page.export(with: renderer)
for _ in 1...3 {
  Thread.sleep(forTimeInterval: 0.12)
  print("\(page.progress.value), can be shared: \(page.isShareable.value)")
}
print(page.log.value)
print("rendered \(renderer.renderings.value) time")
