// Symptom: None. A card shows what the file has until the server answers, and nothing of one user is
// left for the next.
// Looks at: card (the card on the screen)
import Foundation
import Varve

struct Contact: Equatable {
  let name: String
  let address: String
  /// Changes with each look, and nobody sees it.
  let readAt: Int
}

final class AddressBook: Sendable {
  private let network = QueueScheduler(name: "network")
  private let disk = QueueScheduler(name: "disk")
  private let reads = MutableProperty(0)

  func fresh(_ name: String) -> SignalProducer<Contact, Never> {
    contact(name, at: name == "Ben" ? "4 Elm Court" : "9 Mill Lane")
      .delay(.milliseconds(30), on: network)
  }

  /// Slow for those who have not been looked at for long.
  func kept(_ name: String) -> SignalProducer<Contact, Never> {
    contact(name, at: name == "Ben" ? "4 Elm Court" : "2 Harbour Street")
      .delay(.milliseconds(name == "Marta" ? 70 : 5), on: disk)
  }

  private func contact(_ name: String, at address: String) -> SignalProducer<Contact, Never> {
    SignalProducer { [reads] in
      let count = reads.modify { count -> Int in
        count += 1
        return count
      }
      return Contact(name: name, address: address, readAt: count)
    }
  }
}

final class CardModel {
  let name = MutableProperty<String?>(nil)
  let user = MutableProperty<String?>("Lena")
  let card: Property<Contact?>

  init(_ book: AddressBook, on interface: any Scheduler) {
    name <~ user.signal.skipRepeats().map(value: nil)
    card = Property(
      initial: nil,
      then: name.producer
        .flatMap(.latest) { name -> SignalProducer<Contact?, Never> in
          guard let name else { return SignalProducer(value: nil) }
          return book.kept(name)
            .take(untilReplacement: book.fresh(name))
            .skipRepeats { $0.name == $1.name && $0.address == $1.address }
            .map { $0 as Contact? }
        }
        .observe(on: interface))
  }
}

let model = CardModel(AddressBook(), on: QueueScheduler(name: "interface"))
model.card.signal.named("card").observeValues { contact in
  print(contact.map { "\($0.name), \($0.address)" } ?? "(no card)")
}
for name in ["Ben", "Marta"] {
  model.name.value = name
  Thread.sleep(forTimeInterval: 0.15)
}
model.user.value = nil
model.user.value = "Paul"
Thread.sleep(forTimeInterval: 0.05)
print("on the screen of Paul: \(model.card.value?.name ?? "nothing")")
