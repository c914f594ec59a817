// Symptom: Since the confirmation shows the number of the booking, the restaurant gets each booking
// twice.
// Looks at: the bookings that the restaurant receives ("bookings")

import Foundation
import Varve

struct Reservation {
  var name: String
  var guests: Int
}

final class Restaurant {
  let bookings: Signal<Reservation, Never>
  private let input: Signal<Reservation, Never>.Observer
  private let counter = MutableProperty(100)
  private let line = QueueScheduler(name: "restaurant")

  init() { (bookings, input) = Signal.pipe(named: "bookings") }

  func book(_ reservation: Reservation) -> SignalProducer<Int, Never> {
    SignalProducer { [input, counter] in
      input.send(value: reservation)
      return counter.modify {
        $0 += 1; return $0
      }
    }
    .start(on: line)
    .delay(.milliseconds(10), on: line)
  }
}

final class ConfirmationModel {
  let number = MutableProperty<Int?>(nil)
  let isBooked = MutableProperty(false)
  private let restaurant: Restaurant

  init(restaurant: Restaurant) { self.restaurant = restaurant }

  func confirm(_ reservation: Reservation) {
    let booking = restaurant.book(reservation)
      .filter { $0 > 0 }
    booking.startWithCompleted { [isBooked] in isBooked.value = true }
    number <~ booking.map { Optional($0) }  // culprit
  }
}

let restaurant = Restaurant()
restaurant.bookings.observeValues { print("\($0.name), \($0.guests) guests") }
let confirmation = ConfirmationModel(restaurant: restaurant)
for (name, guests) in [("Aalto", 2), ("Bruun", 5), ("Castro", 4)] {
  confirmation.isBooked.value = false
  confirmation.confirm(Reservation(name: name, guests: guests))
  Thread.sleep(forTimeInterval: 0.06)
  print("booked: \(confirmation.isBooked.value), number \(confirmation.number.value ?? 0)")
}
