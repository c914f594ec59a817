// Symptom: The app hangs when I type the first character of the account number. It has to be killed.
// Looks at: iban (the field for the account)
import Foundation
import Varve

/// Groups of four, as they are printed on the card.
func grouped(_ text: String) -> String {
  let characters = text.uppercased().filter { $0.isLetter || $0.isNumber }
  var result = ""
  for (index, character) in characters.enumerated() {
    if index > 0 && index.isMultiple(of: 4) { result.append(" ") }
    result.append(character)
  }
  return result
}

final class TransferForm {
  let iban = MutableProperty("", named: "iban")
  let cents = MutableProperty(0)
  let canSend: Property<Bool>

  init() {
    canSend = iban.map { $0.count >= 22 }.and(cents.map { $0 > 0 }).skipRepeats()
    iban.signal.observeValues { [weak iban] text in
      iban?.value = grouped(text)  // culprit
    }
  }
}

final class TransferPage {
  private let form: TransferForm

  init(_ form: TransferForm) {
    self.form = form
    form.canSend.producer.startWithValues { print($0 ? "button: blue" : "button: grey") }
  }

  func type(_ character: Character) {
    form.iban.value += String(character)
    print("field: \(form.iban.value)")
  }

  func enter(euros: Int) { form.cents.value = euros * 100 }
}

let page = TransferPage(TransferForm())
page.enter(euros: 40)
for character in "de89370400440532013000" { page.type(character) }
print("ready to send")
