// Symptom: I gave 20 euros once. My bank statement shows them twice.
// Looks at: booked (the lines of the bank statement)
import Foundation
import Varve

struct Donation {
  let name: String
  let cents: Int
}

enum DonationError: Error {
  case declined
  case mailServerBusy
}

final class Bank: Sendable {
  let booked: Signal<Donation, Never>
  private let input: Signal<Donation, Never>.Observer
  private let queue = QueueScheduler(name: "bank")

  init() { (booked, input) = Signal.pipe(named: "booked") }

  func book(_ donation: Donation) -> SignalProducer<Donation, DonationError> {
    SignalProducer { [input] () -> Result<Donation, DonationError> in
      guard donation.cents > 0 else { return .failure(.declined) }
      input.send(value: donation)
      return .success(donation)
    }
    .start(on: queue)
  }
}

final class MailServer: Sendable {
  private let mails = MutableProperty(0)
  private let queue = QueueScheduler(name: "mail")

  /// Every other mail is refused at first.
  func thank(_ donation: Donation) -> SignalProducer<String, DonationError> {
    SignalProducer { [mails] () -> Result<String, DonationError> in
      mails.modify { $0 += 1 }
      return mails.value % 2 == 1
        ? .failure(.mailServerBusy) : .success("Thank you, \(donation.name)!")
    }
    .start(on: queue)
  }
}

final class DonationModel {
  let message = MutableProperty("")
  private let bank: Bank
  private let mail: MailServer

  init(bank: Bank, mail: MailServer) {
    self.bank = bank
    self.mail = mail
  }

  func give(_ donation: Donation) {
    message
      <~ bank.book(donation)
      .flatMap(.concat) { [mail] in mail.thank($0) }
      .retry(upTo: 2)  // culprit
      .flatMapError { SignalProducer(value: "Sorry: \($0)") }
  }
}

let bank = Bank()
bank.booked.observeValues { print("booked: \($0.name) \($0.cents / 100) €") }
let model = DonationModel(bank: bank, mail: MailServer())
model.message.signal.observeValues { print($0) }
model.give(Donation(name: "Ida", cents: 2_000))
Thread.sleep(forTimeInterval: 0.2)
