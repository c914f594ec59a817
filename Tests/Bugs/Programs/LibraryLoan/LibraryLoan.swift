// Symptom: I have four books at home and may borrow ten. The button “Borrow” does nothing.
// Looks at: loans (the books in my account)
import Foundation
import Varve

struct Account {
  var books: [String]
  let limit: Int
  var isBlocked = false
}

final class Desk {
  let account: MutableProperty<Account>
  let borrow: Action<String, String, Never>

  init(_ opened: Account) {
    let account = MutableProperty(opened)
    self.account = account
    let mayBorrow = account.map { !$0.isBlocked && $0.books.count >= $0.limit }  // culprit
    borrow = Action(enabledIf: mayBorrow) { title in
      SignalProducer(value: title).delay(.milliseconds(20), on: QueueScheduler(name: "catalogue"))
    }
    borrow.values.observeValues { title in account.modify { $0.books.append(title) } }
  }
}

final class LoanPage {
  private let desk: Desk

  init(_ desk: Desk) {
    self.desk = desk
    desk.account.signal.map(\.books.count).named("loans").observeValues { print("\($0) books") }
  }

  func tap(_ title: String) {
    desk.borrow.apply(title).start()
    Thread.sleep(forTimeInterval: 0.1)
  }
}

let desk = Desk(Account(books: ["Emma", "Kim", "Dracula", "Ulysses"], limit: 10))
let page = LoanPage(desk)
page.tap("Middlemarch")
page.tap("Middlemarch")
page.tap("Nana")
print("at home: \(desk.account.value.books)")
