// Symptom: Every stencil that I open and throw away stays in the memory of the tablet. After a
// day in the studio the app is killed.
// Looks at: the outline of the stencil ("outline")
import Foundation
import Varve

final class Pen {
  let points: Signal<(Int, Int), Never>
  private let input: Signal<(Int, Int), Never>.Observer

  init() { (points, input) = Signal.pipe() }

  func draw(_ count: Int) {
    for step in 0..<count { input.send(value: (step, step * step % 17)) }
  }
}

final class Stencil {
  static let alive = MutableProperty(0)

  let outline = MutableProperty<[Int]>([], named: "outline")
  private var bitmap = Data(count: 200_000)
  private let drawing = SerialDisposable()

  init() { Self.alive.modify { $0 += 1 } }

  func trace(_ pen: Pen) {
    drawing.inner = pen.points.observeValues { x, y in  // culprit
      self.outline.modify { $0.append(x + y) }
    }
  }

  func ink() { bitmap[outline.value.count % bitmap.count] = 255 }

  deinit {
    drawing.dispose()
    Self.alive.modify { $0 -= 1 }
  }
}

let pen = Pen()
for _ in 0..<30 {
  let stencil = Stencil()
  stencil.trace(pen)
  pen.draw(5)
  stencil.ink()
  Thread.sleep(forTimeInterval: 0.015)
}
print("stencils in memory: \(Stencil.alive.value)")
