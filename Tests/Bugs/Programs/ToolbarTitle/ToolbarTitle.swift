// Symptom: After I have looked at some documents, the toolbar flickers between their names, and with
// each document that I open the app becomes slower.
// Looks at: toolbar (the text in the toolbar)
import Foundation
import Varve

final class Clock {
  let ticks: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let timer = QueueScheduler(name: "clock")

  init() { (ticks, input) = Signal.pipe(named: "ticks") }

  func run() -> any Disposable {
    SignalProducer.interval(0..., interval: .milliseconds(20), on: timer)
      .startWithValues { [input] in input.send(value: $0) }
  }
}

final class Toolbar: Sendable {
  let text = MutableProperty("", named: "toolbar")
  let canShare = MutableProperty(false)
}

final class DocumentScreen {
  let name: String
  private let openedAt: Int

  init(_ name: String, clock: Clock, toolbar: Toolbar, now: Int) {
    self.name = name
    openedAt = now
    toolbar.canShare.value = !name.isEmpty
    toolbar.text <~ clock.ticks.map { "\(name), open for \(($0 - now) / 50) s" }  // culprit
  }

  func summary(at now: Int) -> String { "\(name) was open for \(now - openedAt) ticks" }
}

let clock = Clock()
let toolbar = Toolbar()
let writes = MutableProperty(0)
toolbar.text.signal.observeValues { _ in writes.modify { $0 += 1 } }
let running = clock.run()

for number in 0..<12 {
  let screen = DocumentScreen("Plan \(number)", clock: clock, toolbar: toolbar, now: number * 3)
  let before = writes.value
  Thread.sleep(forTimeInterval: 0.06)
  print("\(screen.summary(at: number * 3 + 3)); \(writes.value - before) texts in the toolbar")
}
running.dispose()
print("the toolbar says: \(toolbar.text.value)")
