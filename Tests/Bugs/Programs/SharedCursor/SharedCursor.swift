// Symptom: When my colleague moves her cursor, mine shows it later and later. At the end it crawls over
// the page long after she has let go of the mouse.
// Looks at: drawn (her cursor on my screen)
import Foundation
import Varve

struct Point {
  let x: Double
  let y: Double

  func moved(towards other: Point, by part: Double) -> Point {
    Point(x: x + (other.x - x) * part, y: y + (other.y - y) * part)
  }
}

final class Colleague {
  let moves: Signal<Point, Never>
  private let input: Signal<Point, Never>.Observer

  init() { (moves, input) = Signal.pipe(named: "moves") }

  func move(to point: Point) { input.send(value: point) }
}

final class Animator {
  private let frames = QueueScheduler(name: "frames")

  func glide(from start: Point, to end: Point) -> SignalProducer<Point, Never> {
    SignalProducer.interval([0.4, 0.8, 1], interval: .milliseconds(10), on: frames)
      .map { start.moved(towards: end, by: $0) }
  }
}

final class CursorLayer {
  let drawn = MutableProperty(Point(x: 0, y: 0))

  init(_ colleague: Colleague, animator: Animator) {
    drawn
      <~ colleague.moves
      .combinePrevious(drawn.value)
      .flatMap(.concat) { animator.glide(from: $0, to: $1) }  // culprit
  }
}

let colleague = Colleague()
let layer = CursorLayer(colleague, animator: Animator())
let begin = Date()
layer.drawn.signal.named("drawn").observeValues {
  print(String(format: "%4.0f ms: x = %.0f", Date().timeIntervalSince(begin) * 1_000, $0.x))
}

for step in 1...20 {
  colleague.move(to: Point(x: Double(step) * 10, y: 50))
  Thread.sleep(forTimeInterval: 0.014)
}
print("she lets go; I see x = \(layer.drawn.value.x.rounded())")
Thread.sleep(forTimeInterval: 0.7)
