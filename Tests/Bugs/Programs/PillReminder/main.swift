// Symptom: When I change the dose of a medicine, the card keeps the old dose until I rename the
// medicine.
// Looks at: the text on the card (the property "card")

import Foundation
import Varve

struct Prescription: Equatable {
  var id: Int
  var medicine: String
  var milligrams: Int
  var timesPerDay: Int
}

final class MedicineChest {
  let prescriptions = MutableProperty<[Prescription]>([])

  func save(_ prescription: Prescription) {
    prescriptions.modify { list in
      list.removeAll { $0.id == prescription.id }
      list.append(prescription)
    }
  }

  func prescription(_ id: Int) -> SignalProducer<Prescription, Never> {
    prescriptions.producer.compactMap { list in list.first { $0.id == id } }
  }
}

final class ReminderCard {
  let text = MutableProperty("", named: "card")

  init(id: Int, chest: MedicineChest) {
    text
      <~ chest.prescription(id)
      .skipRepeats { $0.id == $1.id && $0.medicine == $1.medicine }  // culprit
      .map { "\($0.medicine), \($0.milligrams) mg, \($0.timesPerDay) × a day" }
  }
}

let chest = MedicineChest()
var heart = Prescription(id: 7, medicine: "Bisoprolol", milligrams: 5, timesPerDay: 1)
chest.save(heart)
let card = ReminderCard(id: 7, chest: chest)
print(card.text.value)
heart.milligrams = 10
chest.save(heart)
print("After the change to 10 mg: \(card.text.value)")
heart.timesPerDay = 2
chest.save(heart)
print("After the change to twice a day: \(card.text.value)")
