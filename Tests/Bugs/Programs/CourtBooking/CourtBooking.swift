// Symptom: When I move my tennis lesson to another day, the page says for a blink "not
// possible" in red and the phone buzzes, then all is well.
// Looks at: the verdict below the calendar ("verdict")
import Foundation
import Varve

struct Slot {
  let day: Int
  let firstHour: Int
  let lastHour: Int
}

final class BookingForm {
  let slot: MutableProperty<Slot>
  let verdict: Property<String>

  init(_ slot: Slot) {
    self.slot = MutableProperty(slot)
    let first = self.slot.map(\.firstHour)
    let last = self.slot.map(\.lastHour)
    verdict = Property.combineLatest(first, last)  // culprit
      .map { $0 < $1 ? "\($0) to \($1) o'clock" : "not possible" }
      .skipRepeats()
  }

  func move(to slot: Slot) { self.slot.value = slot }
}

final class Phone {
  private(set) var buzzes = 0

  init(_ form: BookingForm) {
    form.verdict.signal.named("verdict").observeValues { [unowned self] text in
      print(text)
      if text == "not possible" { buzzes += 1 }
    }
  }
}

let form = BookingForm(Slot(day: 3, firstHour: 8, lastHour: 10))
let phone = Phone(form)
form.move(to: Slot(day: 4, firstHour: 14, lastHour: 16))
Thread.sleep(forTimeInterval: 0.05)
form.move(to: Slot(day: 5, firstHour: 18, lastHour: 19))
print("\(phone.buzzes) buzzes")
