// Symptom: none. A request that fails leaves a note, and the next one is answered.
// Looks at: answers (what the pharmacy answers)
import Foundation
import Varve

enum PharmacyError: Error {
  case unknown(String)
}

final class Pharmacy: Sendable {
  private let network = QueueScheduler(name: "network")

  func stock(of drug: String) -> SignalProducer<String, PharmacyError> {
    SignalProducer { () -> Result<String, PharmacyError> in
      drug.isEmpty ? .failure(.unknown(drug)) : .success("\(drug): in stock")
    }
    .delay(.milliseconds(20), on: network)
    .start(on: network)
  }
}

final class RefillModel: Sendable {
  let drug = MutableProperty("ibuprofen")
  let answer = MutableProperty("")

  init(_ pharmacy: Pharmacy) {
    answer
      <~ drug.producer
      .skipRepeats()
      .flatMap(.latest) { drug in
        pharmacy.stock(of: drug)
          .flatMapError { error in SignalProducer(value: "not known: \(error)") }
      }
      .named("answers")
  }
}

let model = RefillModel(Pharmacy())
model.answer.signal.observeValues { print($0) }
for drug in ["aspirin", "", "insulin"] {
  Thread.sleep(forTimeInterval: 0.1)
  model.drug.value = drug
}
Thread.sleep(forTimeInterval: 0.15)
print("shown: \(model.answer.value)")
