// Symptom: My country is filled in from my last order. I type the street and the postcode, and the
// Continue button stays grey. If I pick the same country again, it lights up.
// Looks at: whether the form can be sent ("canContinue")

import Foundation
import Varve

struct Profile {
  var name: String
  var lastCountry: String
}

struct Address: Equatable, Sendable {
  var street: String
  var postcode: String
  var country: String

  var isComplete: Bool { street.count > 3 && postcode.count >= 4 && !country.isEmpty }
}

final class ShippingFormViewModel {
  let street = MutableProperty("")
  let postcode = MutableProperty("")
  let country: MutableProperty<String>
  let canContinue: Property<Bool>

  init(profile: Profile) {
    country = MutableProperty(profile.lastCountry)
    let address = SignalProducer.combineLatest(
      street.producer.map { $0.trimmingCharacters(in: .whitespaces) },
      postcode.producer.map { $0.filter(\.isNumber) },
      country.signal  // culprit
    ).map { Address(street: $0, postcode: $1, country: $2) }
    canContinue = Property(
      initial: false,
      then: address.map(\.isComplete).skipRepeats().named("canContinue"))
  }
}

/// The buttons and fields as the screen draws them.
final class ShippingScreen {
  private let form: ShippingFormViewModel
  private let subscriptions = CompositeDisposable()

  init(_ form: ShippingFormViewModel) {
    self.form = form
    subscriptions += form.canContinue.producer.startWithValues { isOn in
      print(isOn ? "[ Continue ]" : "( Continue )")
    }
  }

  func type(_ text: String, into field: MutableProperty<String>) {
    for end in text.indices {
      field.value = String(text[...end])
      Thread.sleep(forTimeInterval: 0.008)
    }
  }

  deinit { subscriptions.dispose() }
}

let form = ShippingFormViewModel(profile: Profile(name: "Jo", lastCountry: "Portugal"))
let screen = ShippingScreen(form)
screen.type("Rua do Sol 12", into: form.street)
screen.type("1250-096", into: form.postcode)
Thread.sleep(forTimeInterval: 0.1)
print("country: \(form.country.value), can continue: \(form.canContinue.value)")
