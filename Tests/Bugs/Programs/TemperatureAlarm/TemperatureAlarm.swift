// Symptom: I lowered the limit of the alarm to 6 degrees, because the fridge is at 7. The alarm stayed
// silent, and the page still shows the old limit.
// Looks at: alarm (the lamp and the text beside it)
import Foundation
import Varve

struct Reading {
  let sensor: String
  let degrees: Double
  let limit: Double
}

final class Fridge {
  let degrees = MutableProperty(5.0)
  let limit = MutableProperty(8.0)

  var readings: SignalProducer<Reading, Never> {
    degrees.producer.combineLatest(with: limit.producer)
      .map { Reading(sensor: "fridge", degrees: $0, limit: $1) }
  }
}

final class AlarmPanel {
  let alarm: Property<String>

  init(_ fridge: Fridge, on interface: any Scheduler) {
    alarm = Property(
      initial: "–",
      then: fridge.readings
        .skipRepeats { $0.sensor == $1.sensor && abs($0.degrees - $1.degrees) < 0.25 }  // culprit
        .observe(on: interface)
        .map { $0.degrees > $0.limit ? "ALARM, above \($0.limit)°" : "ok, below \($0.limit)°" })
  }
}

let fridge = Fridge()
let panel = AlarmPanel(fridge, on: QueueScheduler(name: "interface"))
panel.alarm.signal.named("alarm").observeValues { print($0) }

for degrees in [5.1, 5.6, 6.4, 6.5, 7.0] {
  fridge.degrees.value = degrees
  Thread.sleep(forTimeInterval: 0.01)
}
fridge.limit.value = 6
Thread.sleep(forTimeInterval: 0.1)
print("\(fridge.degrees.value)° with a limit of \(fridge.limit.value)°: \(panel.alarm.value)")
