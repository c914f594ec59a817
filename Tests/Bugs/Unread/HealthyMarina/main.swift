// Symptom: none. Two ships of the same length pay the same fee in one night, and a payment that the
// bank did not take at first is sent again.
// Looks at: debit (what the bank is told)
import Foundation
import Varve

struct Ship: Sendable {
  let name: String
  let metres: Int
}

enum BankError: Error {
  case busy
}

final class Bank: Sendable {
  let bookings = MutableProperty<[String]>([])
  private let contacts = MutableProperty(0)
  private let network = QueueScheduler(name: "bank")

  func debit(_ amount: Int, from ship: Ship) -> SignalProducer<Int, BankError> {
    SignalProducer { [contacts, bookings] () -> Result<Int, BankError> in
      let contact = contacts.modify { contacts in
        contacts += 1
        return contacts
      }
      if contact == 2 { return .failure(.busy) }
      return bookings.modify { bookings in
        bookings.append("\(ship.name) -\(amount)")
        return .success(7000 + bookings.count)
      }
    }
    .start(on: network)
    .named("debit")
  }
}

final class Marina: Sendable {
  let receipts = MutableProperty<[String]>([])
  let last = MutableProperty("")
  private let bank: Bank
  private let timers = QueueScheduler(name: "timers")

  init(_ bank: Bank) { self.bank = bank }

  func stay(_ ship: Ship) {
    let payment = bank.debit(ship.metres * 3, from: ship)
      .retry(upTo: 3, interval: .milliseconds(10), on: timers)
      .flatMapError { _ in SignalProducer(value: 0) }
      .filter { $0 > 0 }
      .replayLazily(upTo: 1)
    payment.startWithValues { [receipts] number in
      receipts.modify { $0.append("\(ship.name): \(number)") }
    }
    last <~ payment.map { "receipt \($0) for \(ship.name)" }
  }
}

let bank = Bank()
let marina = Marina(bank)
marina.last.signal.observeValues { print($0) }
for name in ["Petrel", "Gannet", "Skua"] {
  marina.stay(Ship(name: name, metres: 12))
  Thread.sleep(forTimeInterval: 0.12)
}
print(bank.bookings.value, marina.receipts.value.count)
