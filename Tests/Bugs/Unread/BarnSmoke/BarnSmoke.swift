// Symptom: The hay loft was full of smoke, the sensor's lamp was red, and the farmer's phone stayed
// silent.
// Looks at: what rings on the phone ("alarms")

import Foundation
import Varve

struct Reading {
  let room: String
  let smoke: Int
}

final class SensorBus {
  let readings: Signal<Reading, Never>
  private let input: Signal<Reading, Never>.Observer
  private let queue = QueueScheduler(name: "bus")

  init() { (readings, input) = Signal.pipe(named: "readings") }

  func receive(_ reading: Reading) {
    queue.schedule { [input] in input.send(value: reading) }
  }
}

final class AlarmService {
  /// Rooms where somebody is welding today.
  let muted = MutableProperty<Set<String>>([], named: "muted")
  let alarms: Signal<String, Never>
  private let limit = 60

  init(_ bus: SensorBus) {
    let limit = limit
    alarms = bus.readings
      .filter { $0.smoke > limit }
      .withLatest(from: muted.producer)
      .filter { reading, muted in muted.contains(reading.room) }  // culprit
      .map { reading, _ in "\(reading.room): \(reading.smoke) %" }
      .named("alarms")
  }
}

final class Phone {
  private(set) var rings = 0

  func connect(to service: AlarmService) {
    service.alarms.observe(on: QueueScheduler.main).observeValues { [weak self] text in
      self?.rings += 1
      print("ring! \(text)")
    }
  }
}

let bus = SensorBus()
let service = AlarmService(bus)
let phone = Phone()
phone.connect(to: service)
service.muted.value = ["workshop"]

for (room, smoke) in [("stable", 4), ("hay loft", 12), ("hay loft", 71), ("hay loft", 93)] {
  bus.receive(Reading(room: room, smoke: smoke))
  RunLoop.main.run(until: Date().addingTimeInterval(0.03))
}
print("the phone rang \(phone.rings) times")
