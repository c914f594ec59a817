// Symptom: None. Every dive goes to the account; one is refused, and the diver reads why.
// Looks at: upload (the button)
import Foundation
import Varve

struct Dive {
  let site: String
  let metres: Int
}

enum AccountError: Error {
  case tooDeep(Int)
}

final class Account {
  private let network = QueueScheduler(name: "network")

  func store(_ dive: Dive) -> SignalProducer<String, AccountError> {
    SignalProducer<Dive, AccountError>(value: dive)
      .delay(.milliseconds(10), on: network)
      .attempt { $0.metres < 60 ? .success(()) : .failure(.tooDeep($0.metres)) }
      .map { "\($0.site) is stored" }
  }
}

final class DiveBook {
  let upload: Action<Dive, String, AccountError>
  let message = MutableProperty("")
  private let isOnline = MutableProperty(true)

  init(_ account: Account) {
    upload = Action(enabledIf: isOnline, named: "upload") { account.store($0) }
    message
      <~ Signal.merge(
        upload.values,
        upload.errors.map { error in
          switch error {
          case .tooDeep(let metres): "\(metres) m? Please check"
          }
        })
  }
}

let book = DiveBook(Account())
book.message.signal.observeValues { print($0) }
for (site, metres) in [("Blue Hole", 18), ("Quarry", 310), ("Wreck", 27), ("Reef", 34)] {
  book.upload.apply(Dive(site: site, metres: metres)).start()
  Thread.sleep(forTimeInterval: 0.06)
}
