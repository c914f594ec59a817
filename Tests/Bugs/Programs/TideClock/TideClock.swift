// Symptom: The harbour's display is redrawn every half second, but the water level on it is the
// one from the last time that the station sent its health report.
// Looks at: the level on the display ("display")
import Foundation
import Varve

final class TideStation {
  let levels: Signal<Int, Never>
  let health: Signal<String, Never>
  private let levelInput: Signal<Int, Never>.Observer
  private let healthInput: Signal<String, Never>.Observer
  private let modem = QueueScheduler(name: "modem")

  init() {
    (levels, levelInput) = Signal.pipe()
    (health, healthInput) = Signal.pipe()
  }

  func transmit(seconds: Double) {
    for step in 0..<Int(seconds * 100) {
      modem.schedule(after: .milliseconds(step * 10)) { [levelInput, healthInput] in
        levelInput.send(value: 210 + step)
        if step % 40 == 5 { healthInput.send(value: "battery \(90 - step / 40)%") }
      }
    }
  }
}

final class HarbourDisplay {
  private(set) var text = ""

  init(_ station: TideStation, refresh: SignalProducer<UInt64, Never>) {
    let reports = station.health.map { _ in () }
    refresh.withLatest(from: station.levels.sample(on: reports))  // culprit
      .map { "\($1) cm" }
      .named("display")
      .startWithValues { [unowned self] in
        text = $0
        print(text)
      }
  }
}

let station = TideStation()
let ticks = SignalProducer.interval(.milliseconds(50), on: QueueScheduler(name: "display"))
  .map { UInt64($0) }
  .take(first: 14)
let display = HarbourDisplay(station, refresh: ticks)
station.transmit(seconds: 0.7)
Thread.sleep(forTimeInterval: 0.8)
