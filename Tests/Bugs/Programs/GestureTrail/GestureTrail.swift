// Symptom: I draw a line quickly. When I lift the pen, the line on the screen of the person who
// watches ends a piece before the place where mine ends.
// Looks at: remote (the line on the other screen)
import Foundation
import Varve

struct Dot: Equatable, CustomStringConvertible {
  let x: Int
  let y: Int
  var description: String { "(\(x), \(y))" }
}

final class Watcher {
  let remote = MutableProperty<[Dot]>([])
}

final class Canvas {
  let local = MutableProperty<[Dot]>([])
  private let watcher: Watcher
  private let connection = QueueScheduler(name: "connection")
  private var pen: Signal<Dot, Never>.Observer?

  init(sharedWith watcher: Watcher) { self.watcher = watcher }

  func penDown(at dot: Dot) {
    let (dots, pen) = Signal<Dot, Never>.pipe()
    self.pen = pen
    local <~ dots.scan([]) { $0 + [$1] }
    watcher.remote
      <~ dots
      .skipRepeats()
      .collect(every: .milliseconds(60), on: connection, discardWhenCompleted: true)  // culprit
      .scan([]) { $0 + $1 }
    penMoved(to: dot)
  }

  func penMoved(to dot: Dot) {
    pen?.send(value: dot)
  }

  func penUp() {
    pen?.sendCompleted()
    pen = nil
  }
}

let watcher = Watcher()
let canvas = Canvas(sharedWith: watcher)
watcher.remote.signal.named("remote").observeValues { print("watcher: \($0.count) dots") }

canvas.penDown(at: Dot(x: 0, y: 0))
for step in 1...10 {
  Thread.sleep(forTimeInterval: 0.016)
  canvas.penMoved(to: Dot(x: step * 7, y: step * step))
}
canvas.penUp()
Thread.sleep(forTimeInterval: 0.2)
print("mine ends at \(canvas.local.value.last!), theirs at \(watcher.remote.value.last!)")
