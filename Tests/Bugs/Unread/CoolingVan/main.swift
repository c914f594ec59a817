// Symptom: The van was at 14 degrees for an hour, and my phone has not made a sound.
// Looks at: warnings (what the phone says)
import Foundation
import Varve

struct Alarm {
  let van: String
  let celsius: Double
  var isAcknowledged = false
}

final class Fleet {
  let alarms: Signal<Alarm, Never>
  private let input: Signal<Alarm, Never>.Observer
  private let radio = QueueScheduler(name: "radio")

  init() { (alarms, input) = Signal.pipe(named: "alarms") }

  func report(_ celsius: Double, from van: String) {
    guard celsius > 8 else { return }
    radio.schedule { [input] in input.send(value: Alarm(van: van, celsius: celsius)) }
  }
}

final class Dispatcher {
  let warnings: Signal<String, Never>

  init(_ fleet: Fleet) {
    warnings = fleet.alarms
      .filter { $0.isAcknowledged }  // culprit
      .map { "\($0.van): \($0.celsius) °C" }
      .skipRepeats()
      .observe(on: QueueScheduler.main)
      .named("warnings")
  }
}

let fleet = Fleet()
let dispatcher = Dispatcher(fleet)
var rung = 0
dispatcher.warnings.observeValues { text in
  rung += 1
  print(text)
}
for celsius in [4.5, 5.0, 7.9, 9.5, 12.0, 14.0, 14.0, 13.5, 14.0] {
  fleet.report(celsius, from: "HB-17")
  RunLoop.main.run(until: Date().addingTimeInterval(0.04))
}
print("the phone rang \(rung) times")
