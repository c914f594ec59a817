// Symptom: My dives are in the book, but not one of them arrives at my account.
// Looks at: upload (what goes to the account)
import Foundation
import Varve

struct Dive {
  let site: String
  let metres: Int
}

final class Account {
  private(set) var dives: [Dive] = []
  private let network = QueueScheduler(name: "network")

  @discardableResult
  func upload(_ dive: Dive) -> SignalProducer<Int, Never> {
    SignalProducer(value: dive)
      .delay(.milliseconds(10), on: network)
      .on(value: { [unowned self] in dives.append($0) })
      .map { [unowned self] _ in dives.count }
      .named("upload")
  }
}

final class DiveBook {
  let dives = MutableProperty<[Dive]>([], named: "dives")
  let deepest: Property<Int>
  private let account: Account

  init(_ account: Account) {
    self.account = account
    deepest = dives.map { $0.map(\.metres).max() ?? 0 }
  }

  func surface(at site: String, after metres: Int) {
    let dive = Dive(site: site, metres: metres)
    dives.modify { $0.append(dive) }
    account.upload(dive)  // culprit
  }
}

let account = Account()
let book = DiveBook(account)
book.deepest.signal.skipRepeats().observeValues { print("a new record: \($0) m") }
for (site, metres) in [("Blue Hole", 18), ("Quarry", 31), ("Wreck", 27), ("Reef", 34)] {
  book.surface(at: site, after: metres)
  Thread.sleep(forTimeInterval: 0.05)
}
print("\(book.dives.value.count) dives in the book, \(account.dives.count) in the account")
