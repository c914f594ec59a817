// Symptom: The courier rang at my door while the app still said “on its way”. It says so for every
// parcel until it is gone from the list.
// Looks at: line (the line of the parcel)
import Foundation
import Varve

/// The same parcel is one with the same number, wherever it is.
struct Parcel: Equatable {
  let number: Int
  let sender: String
  var place: String

  static func == (one: Parcel, other: Parcel) -> Bool { one.number == other.number }
}

final class ParcelService: Sendable {
  let parcels = MutableProperty<[Parcel]>([])

  func announce(_ parcel: Parcel) { parcels.modify { $0.append(parcel) } }

  func move(_ parcel: Parcel, to place: String) {
    parcels.modify { list in
      guard let index = list.firstIndex(of: parcel) else { return }
      list[index].place = place
    }
  }

  func hand(over parcel: Parcel) {
    parcels.modify { list in list.removeAll { $0 == parcel } }
  }
}

final class ParcelScreen {
  let line = MutableProperty("no parcels")
  let count: Property<Int>

  init(_ service: ParcelService) {
    count = service.parcels.map(\.count).skipRepeats()
    line
      <~ service.parcels.producer
      .map(\.first)
      .skipRepeats()  // culprit
      .map { $0.map { "From \($0.sender): \($0.place)" } ?? "no parcels" }
  }
}

let service = ParcelService()
let screen = ParcelScreen(service)
screen.line.signal.named("line").observeValues { print($0) }

let shoes = Parcel(number: 4_711, sender: "Boot & Sole", place: "on its way")
service.announce(shoes)
service.move(shoes, to: "in the depot")
service.announce(Parcel(number: 4_712, sender: "Aunt Grete", place: "on its way"))
service.move(shoes, to: "in the courier's van")
service.move(shoes, to: "at your door")
Thread.sleep(forTimeInterval: 0.05)
print("\(screen.count.value) parcels, the first: \(service.parcels.value[0].place)")
print("on the screen: \(screen.line.value)")
service.hand(over: shoes)
