// Symptom: I bought one ticket for the ferry, and at the pier they had two seats reserved for
// me.
// Looks at: reserved (the seats in the purser's list)
import Foundation
import Varve

struct Reservation {
  let passenger: String
  let seat: Int
}

final class Purser {
  let reserved: Signal<Reservation, Never>
  private let list: Signal<Reservation, Never>.Observer
  private let office = QueueScheduler(name: "office")
  private var nextSeat = 41

  init() { (reserved, list) = Signal.pipe() }

  func reserve(_ passenger: String) -> SignalProducer<Reservation, Never> {
    SignalProducer { [self] observer, lifetime in
      lifetime += office.schedule(after: .milliseconds(20)) { [self] in
        nextSeat += 1
        let reservation = Reservation(passenger: passenger, seat: nextSeat)
        list.send(value: reservation)
        observer.send(value: reservation)
        observer.sendCompleted()
      }
    }
  }
}

final class TicketPage {
  let headline: Property<String>
  let barcode: Property<String?>

  init(_ passenger: String, purser: Purser) {
    let ticket = purser.reserve(passenger)
    headline = Property(initial: "…", then: ticket.map { "\($0.passenger), seat \($0.seat)" })
    barcode = Property(initial: nil, then: ticket.map { "FERRY-\($0.seat)" })  // culprit
  }
}

let purser = Purser()
purser.reserved.named("reserved").observeValues { print("purser: \($0.passenger) has \($0.seat)") }
let ticket = TicketPage("Moreno", purser: purser)
Thread.sleep(forTimeInterval: 0.2)
print("\(ticket.headline.value), \(ticket.barcode.value ?? "no barcode")")
