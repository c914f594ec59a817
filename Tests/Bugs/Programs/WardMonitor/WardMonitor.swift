// Symptom: I sign in at the ward's monitor, and the list of pulses stays empty, whoever lies there.
// Looks at: pulses (the list on the monitor)
import Foundation
import Varve

struct Reading {
  let bed: Int
  let pulse: Int
}

final class Session {
  let user: String
  let signedOut = MutableProperty(false)

  init(user: String) { self.user = user }

  func end() { signedOut.value = true }
}

final class Ward {
  let readings: Signal<Reading, Never>
  private let input: Signal<Reading, Never>.Observer
  private let sensors = QueueScheduler(name: "sensors")

  init() { (readings, input) = Signal.pipe(named: "readings") }

  func beginShift(beds: Int) {
    for turn in 0..<12 {
      sensors.schedule(after: .milliseconds(20 * (turn + 1))) { [input] in
        input.send(value: Reading(bed: turn % beds + 1, pulse: 62 + turn * 3 % 20))
      }
    }
  }
}

final class Monitor {
  let pulses = MutableProperty<[Int: Int]>([:])
  let alarm: Property<Bool>

  init() { alarm = pulses.map { $0.values.contains { $0 > 120 } } }

  func show(_ ward: Ward, for session: Session) {
    print("signed in: \(session.user)")
    pulses
      <~ ward.readings.producer
      .take(until: session.signedOut.map(value: ()))  // culprit
      .filter { $0.pulse > 0 }
      .scan(into: [:]) { $0[$1.bed] = $1.pulse }
  }
}

let ward = Ward()
let monitor = Monitor()
monitor.pulses.signal.named("pulses").observeValues { pulses in
  print(pulses.sorted { $0.key < $1.key }.map { "bed \($0.key): \($0.value)" })
}
let session = Session(user: "night nurse")
monitor.show(ward, for: session)
ward.beginShift(beds: 4)
Thread.sleep(forTimeInterval: 0.3)
session.end()
print("beds on the monitor: \(monitor.pulses.value.count), alarm: \(monitor.alarm.value)")
