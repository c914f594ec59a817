// Symptom: For a moment the chart shows the name of one patient with the pulse limits of another, and
// an alarm sounds each time I switch beds.
// Looks at: what the chart shows ("chart")

import Foundation
import Varve

struct Patient: Equatable {
  var name: String
  var pulse: Int
  var upperLimit: Int
}

final class BedModel {
  let patient: MutableProperty<Patient>
  let alarms = MutableProperty<[String]>([])

  init(_ first: Patient) {
    patient = MutableProperty(first)
    let pulse = patient.map { $0.pulse }
    let limit = patient.map { $0.upperLimit }
    pulse.producer
      .combineLatest(with: limit.producer)  // culprit
      .named("chart")
      .filter { pulse, limit in pulse > limit }
      .startWithValues { [alarms] pulse, limit in
        alarms.modify { $0.append("pulse \(pulse) over \(limit)") }
      }
  }
}

let adult = Patient(name: "Mr Abel", pulse: 72, upperLimit: 100)
let newborn = Patient(name: "Baby Ito", pulse: 140, upperLimit: 180)
let bed = BedModel(adult)
for patient in [newborn, adult, newborn] { bed.patient.value = patient }
print("alarms: \(bed.alarms.value)")
print("nobody's pulse was ever over the limit")
