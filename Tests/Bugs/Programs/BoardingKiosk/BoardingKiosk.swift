// Symptom: I type my booking code into the kiosk. It says "One moment please" and never gets any further.
// Looks at: pass (the boarding pass that is printed)
import Foundation
import Varve

struct Booking {
  let code: String
  let name: String
  let seat: String
}

struct BoardingPass {
  let booking: Booking
  let barcode: String
}

final class Database: Sendable {
  private let queue = QueueScheduler(name: "database")
  private let names = ["K7X2P": "Ida Brandt", "M3W9Q": "Tom Okafor"]

  func booking(_ code: String) -> SignalProducer<Booking?, Never> {
    SignalProducer { [names] in
      names[code].map { Booking(code: code, name: $0, seat: "14C") }
    }
    .start(on: queue)
  }

  func serial(of seat: String) -> SignalProducer<Int, Never> {
    SignalProducer { seat.utf8.reduce(7) { ($0 * 31 + Int($1)) % 9_973 } }.start(on: queue)
  }
}

final class CheckIn {
  private let database: Database

  init(_ database: Database) { self.database = database }

  func checkIn(_ code: String) -> SignalProducer<BoardingPass, Never> {
    database.booking(code)
      .skipNil()
      .map { [self] in makePass($0) }
      .named("pass")
  }

  private func makePass(_ booking: Booking) -> BoardingPass {
    let serial = database.serial(of: booking.seat).waitForFirst()  // culprit
    let number = serial?.get() ?? 0
    return BoardingPass(booking: booking, barcode: "\(booking.code)-\(number)")
  }
}

final class Kiosk {
  private let checkIn: CheckIn

  init(_ checkIn: CheckIn) { self.checkIn = checkIn }

  func enter(_ code: String) {
    print("One moment please")
    switch checkIn.checkIn(code.uppercased()).waitForFirst() {
    case .success(let pass)?: print("\(pass.booking.name), \(pass.booking.seat), \(pass.barcode)")
    case nil: print("There is no such booking")
    }
  }
}

setlinebuf(stdout)
let kiosk = Kiosk(CheckIn(Database()))
kiosk.enter("k0000")
kiosk.enter("k7x2p")
