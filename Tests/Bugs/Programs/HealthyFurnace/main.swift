// Symptom: none. The temperature is filtered on a thread of its own, stored on another one, and
// drawn on the main thread. The display skips most of the readings, as it should.
// Looks at: celsius (the temperature on the panel)
import Foundation
import Varve

// Safety: it counts wrong threads, and is set again and again on one at a time.
final class Label: @unchecked Sendable {
  private(set) var complaints = 0
  var text = "" {
    didSet {
      if !Thread.isMainThread { complaints += 1 }
    }
  }
}

final class Logbook: Sendable {
  let lines = MutableProperty<[String]>([])
  private let disk = QueueScheduler(name: "disk")

  func keep(_ values: SignalProducer<Double, Never>) {
    values
      .observe(on: disk)
      .map { String(format: "%.1f", $0) }
      .startWithValues { [lines] line in lines.modify { $0.append(line) } }
  }
}

final class FurnacePanel: Sendable {
  let temperature = Label()
  let state = Label()
  private let bus = QueueScheduler(name: "bus")
  private let filtering = QueueScheduler(name: "filtering")
  private let (lifetime, token) = Lifetime.make()

  init(_ logbook: Logbook) {
    let readings = SignalProducer<Int, Never>.interval(0..<36, interval: .milliseconds(8), on: bus)
      .map { 585 + Double($0 % 9) * 7.5 }
      .replayLazily(upTo: 1)
    let celsius =
      readings
      .throttle(.milliseconds(30), on: filtering)
      .map { "\(Int($0)) °C" }
      .skipRepeats()
      .observe(on: UIScheduler())
      .named("celsius")
    logbook.keep(readings)
    BindingTarget(lifetime: lifetime, object: temperature, keyPath: \.text) <~ celsius
    BindingTarget(on: UIScheduler(), lifetime: lifetime, object: state, keyPath: \.text)
      <~ readings
      .map { $0 > 630 ? "holding" : "heating" }
      .skipRepeats()
  }
}

let logbook = Logbook()
let panel = FurnacePanel(logbook)
let end = Date(timeIntervalSinceNow: 0.6)
while Date() < end { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05)) }
print("\(panel.temperature.text), \(panel.state.text), \(logbook.lines.value.count) lines")
print("complaints: \(panel.temperature.complaints) and \(panel.state.complaints)")
