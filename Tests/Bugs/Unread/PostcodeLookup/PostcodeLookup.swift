// Symptom: Now and then the street is that of a postcode that was typed before and corrected since.
// Looks at: street (the field of the street)

import Foundation
import Varve

final class PostOffice: Sendable {
  private let network = QueueScheduler(name: "network")
  private let streets = ["1012": "Damrak", "1017": "Keizersgracht", "1071": "Museumplein"]
  private let delays = ["1012": 90, "1017": 30, "1071": 20]

  func street(of code: String) -> SignalProducer<String, Never> {
    SignalProducer(value: streets[code] ?? "unknown")
      .delay(.milliseconds(delays[code] ?? 10), on: network)
      .named("look-up")
  }
}

final class AddressForm: Sendable {
  let code = MutableProperty("", named: "code")
  let street: Property<String>
  let number = MutableProperty("", named: "number")

  init(office: PostOffice) {
    street = Property(
      initial: "",
      then: code.signal
        .filter { $0.count == 4 }
        .skipRepeats()
        .flatMap(.merge) { office.street(of: $0) }  // culprit
        .named("street"))
  }

  var address: String { "\(street.value) \(number.value), \(code.value)" }
}

let form = AddressForm(office: PostOffice())
for typed in ["1", "10", "101", "1012"] { form.code.value = typed }
Thread.sleep(forTimeInterval: 0.02)
for typed in ["101", "1017"] { form.code.value = typed }
form.number.value = "12"
Thread.sleep(forTimeInterval: 0.15)
print(form.address)
