// Symptom: I open the card of a friend who has moved. For a blink I see the new address, and then the
// old one, and it stays.
// Looks at: address (the line on the card)
import Foundation
import Varve

struct Contact {
  let name: String
  let address: String
}

final class AddressServer: Sendable {
  private let network = QueueScheduler(name: "network")

  func contact(_ name: String) -> SignalProducer<Contact, Never> {
    SignalProducer(value: Contact(name: name, address: "9 Mill Lane"))
      .delay(.milliseconds(30), on: network)
  }
}

final class AddressFile: Sendable {
  private let disk = QueueScheduler(name: "disk")
  private let index = QueueScheduler(name: "index")

  /// Takes longer while the file is searched for the first time.
  func contact(_ name: String) -> SignalProducer<Contact, Never> {
    SignalProducer { Contact(name: name, address: "2 Harbour Street") }
      .start(on: index)
      .delay(.milliseconds(80), on: disk)
  }
}

final class CardModel {
  let name = MutableProperty<String?>(nil)
  let address: Property<String>

  init(_ server: AddressServer, _ file: AddressFile, on interface: any Scheduler) {
    address = Property(
      initial: "",
      then: name.producer.skipNil()
        .flatMap(.latest) { name in
          file.contact(name).merge(with: server.contact(name))  // culprit
        }
        .map { "\($0.name), \($0.address)" }
        .observe(on: interface))
  }
}

let model = CardModel(AddressServer(), AddressFile(), on: QueueScheduler(name: "interface"))
model.address.signal.named("address").observeValues { print($0) }
model.name.value = "Marta"
Thread.sleep(forTimeInterval: 0.25)
print("on the card: \(model.address.value)")
