// Symptom: A ship stays for one night, and the fee is debited from its account two times. The
// receipt lists it once.
// Looks at: debit (what the bank is told)
import Foundation
import Varve

struct Ship: Sendable {
  let name: String
  let metres: Int
}

struct Booking: Sendable {
  let number: Int
  let left: Int
}

final class Bank: Sendable {
  let bookings = MutableProperty<[String]>([])
  private let accounts = MutableProperty<[String: Int]>([:])
  private let network = QueueScheduler(name: "bank")

  func debit(_ amount: Int, from ship: Ship) -> SignalProducer<Booking, Never> {
    SignalProducer { [accounts, bookings] in
      let left = accounts.modify { accounts in
        accounts[ship.name, default: 500] -= amount
        return accounts[ship.name, default: 500]
      }
      return bookings.modify { bookings in
        bookings.append("\(ship.name) -\(amount)")
        return Booking(number: 7000 + bookings.count, left: left)
      }
    }
    .start(on: network)
    .named("debit")
  }
}

final class HarbourOffice: Sendable {
  let receipt = MutableProperty("")
  private let bank: Bank
  private let perMetre = 3

  init(_ bank: Bank) { self.bank = bank }

  func stay(_ ship: Ship, nights: Int) {
    let payment = bank.debit(ship.metres * perMetre * nights, from: ship)
    let number = payment.map { "receipt \($0.number)" }
    let account = payment.map { $0.left < 0 ? "overdrawn" : "\($0.left) left" }
    receipt
      <~ SignalProducer.combineLatest(number, account)  // culprit
      .map { "\(ship.name), \($0), \($1)" }
  }
}

let bank = Bank()
let office = HarbourOffice(bank)
office.receipt.signal.observeValues { print($0) }
office.stay(Ship(name: "Petrel", metres: 12), nights: 1)
Thread.sleep(forTimeInterval: 0.1)
office.stay(Ship(name: "Gannet", metres: 9), nights: 2)
Thread.sleep(forTimeInterval: 0.1)
print(bank.bookings.value)
