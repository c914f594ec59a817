// Symptom: The clerk scans parcels onto the shelf, but the head office's list of them stays empty.
// Looks at: entry (what is sent to the head office for a parcel)

import Foundation
import Varve

struct Parcel: Sendable {
  let number: Int
  let shelf: String
}

enum OfficeError: Error {
  case lineBusy
}

final class HeadOffice: Sendable {
  let entries = MutableProperty<[String]>([], named: "entries")
  private let network = QueueScheduler(name: "network")

  func enter(_ parcel: Parcel) -> SignalProducer<Int, OfficeError> {
    SignalProducer { [entries] in
      entries.modify { $0.append("\(parcel.number) on \(parcel.shelf)") }
      return parcel.number
    }
    .delay(.milliseconds(10), on: network)
  }
}

final class Shelf: Sendable {
  let count = MutableProperty(0, named: "count")
  private let office: HeadOffice

  init(office: HeadOffice) {
    self.office = office
  }

  func scanned(_ parcel: Parcel) {
    count.modify { $0 += 1 }
    _ = office.enter(parcel)
      .named("entry")
      .retry(upTo: 2)
      .on(value: { print("\($0) is in the list") })  // culprit
  }
}

let office = HeadOffice()
let shelf = Shelf(office: office)
for number in 311...314 {
  shelf.scanned(Parcel(number: number, shelf: "B\(number % 3)"))
}
Thread.sleep(forTimeInterval: 0.1)
print("\(shelf.count.value) on the shelf, \(office.entries.value.count) in the list")
