// Symptom: Alarms came in from the ward all night, and the pager of the doctor stayed silent.
// Looks at: what the pager rings for ("pages")

import Foundation
import Varve

struct Alarm {
  var bed: Int
  var severity: Int
  var acknowledged: Bool
}

final class Ward {
  let alarms: Signal<Alarm, Never>
  private let input: Signal<Alarm, Never>.Observer

  init() { (alarms, input) = Signal.pipe(named: "alarms") }

  func raise(bed: Int, severity: Int) {
    input.send(value: Alarm(bed: bed, severity: severity, acknowledged: false))
  }
}

final class Doctor {
  let onDuty = MutableProperty(true)
}

final class Pager {
  var rung: [Int] = []

  init(_ ward: Ward, for doctor: Doctor) {
    ward.alarms
      .filter { $0.severity >= 2 }
      .filter { $0.acknowledged }  // culprit
      .withLatest(from: doctor.onDuty.producer)
      .filter { _, onDuty in onDuty }
      .map { alarm, _ in alarm.bed }
      .named("pages")
      .observeValues { [unowned self] bed in
        rung.append(bed)
        print("beep: bed \(bed)")
      }
  }
}

let ward = Ward()
let doctor = Doctor()
let pager = Pager(ward, for: doctor)
for (bed, severity) in [(4, 2), (7, 3), (2, 1), (4, 3), (9, 2)] {
  ward.raise(bed: bed, severity: severity)
  Thread.sleep(forTimeInterval: 0.03)
}
print("The pager rang \(pager.rung.count) times")
