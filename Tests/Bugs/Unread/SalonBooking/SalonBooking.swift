// Symptom: I chose Noor as my stylist and booked two appointments. Both confirmations say that Ivo
// will cut my hair.
// Looks at: appointments (the confirmations in the app)
import Foundation
import Varve

struct Slot: Sendable {
  let hour: Int
  let minutes: Int
}

struct Appointment: Sendable {
  let slot: Slot
  let stylist: String
}

final class Salon: Sendable {
  private let desk = QueueScheduler(name: "desk")

  func book(_ slot: Slot, with stylist: String) -> SignalProducer<Appointment, Never> {
    SignalProducer(value: Appointment(slot: slot, stylist: stylist))
      .delay(.milliseconds(15), on: desk)
  }
}

final class BookingPage {
  let stylist = MutableProperty("Ivo")
  let appointments = MutableProperty<[Appointment]>([])
  private let (slots, tap) = Signal<Slot, Never>.pipe()

  init(_ salon: Salon, on screen: QueueScheduler) {
    appointments
      <~ slots
      .filter { (9..<18).contains($0.hour) }
      .flatMap(.concat) { [stylist = stylist.value] slot in  // culprit
        salon.book(slot, with: stylist)
      }
      .observe(on: screen)
      .scan(into: [Appointment]()) { $0.append($1) }
  }

  func choose(_ name: String) { stylist.value = name }
  func book(_ hour: Int, _ minutes: Int) { tap.send(value: Slot(hour: hour, minutes: minutes)) }
}

let page = BookingPage(Salon(), on: QueueScheduler(name: "screen"))
page.stylist.signal.observeValues { print("(chosen: \($0))") }
page.appointments.signal.named("appointments").observeValues { list in
  if let last = list.last { print("\(last.slot.hour):\(last.slot.minutes) with \(last.stylist)") }
}
page.choose("Noor")
page.book(10, 30)
Thread.sleep(forTimeInterval: 0.08)
page.book(20, 15)
page.book(14, 45)
Thread.sleep(forTimeInterval: 0.15)
let withNoor = page.appointments.value.filter { $0.stylist == page.stylist.value }
print("with Noor: \(withNoor.count) of 2")
