import Varve

struct Ticket {
  let seat: String
  let code: Int
}

final class ConcertHall {
  let codes = MutableProperty(4_000)
  private let server = QueueScheduler(name: "server")

  func freshTicket(for seat: String) -> SignalProducer<Ticket, Never> {
    SignalProducer { [codes] in
      let code = codes.modify { (code: inout Int) -> Int in
        code += 17
        return code
      }
      return Ticket(seat: seat, code: code)
    }
    .start(on: server)
    .delay(.milliseconds(40), on: server)
  }
}

final class Wallet {
  private let hall: ConcertHall
  private let seat: String

  init(_ hall: ConcertHall, seat: String) {
    self.hall = hall
    self.seat = seat
  }

  /// The ticket of this evening, for all who show it.
  var ticket: SignalProducer<Ticket, Never> {
    hall.freshTicket(for: seat).replayLazily(upTo: 1)  // culprit
  }
}

final class WalletScreen {
  let title = MutableProperty("")
  let barcode = MutableProperty(0)
  private let wallet: Wallet

  init(_ wallet: Wallet) { self.wallet = wallet }

  func appear() {
    title <~ wallet.ticket.map { "Tonight: \($0.seat)" }
    barcode <~ wallet.ticket.map(\.code)
  }
}

final class WatchFace {
  let barcode = MutableProperty(0)
  private let wallet: Wallet

  init(_ wallet: Wallet) { self.wallet = wallet }

  func mirror() {
    barcode <~ wallet.ticket.map(\.code)
  }
}
