// Symptom: None. Books can be borrowed until the limit is reached, one at a time.
// Looks at: loans (the books in the account)
import Foundation
import Varve

final class Desk {
  let books: MutableProperty<[String]>
  let borrow: Action<String, String, Never>

  init(limit: Int) {
    let books = MutableProperty<[String]>([])
    self.books = books
    let catalogue = QueueScheduler(name: "catalogue")
    borrow = Action(enabledIf: books.map { $0.count < limit }) { title in
      SignalProducer(value: title).delay(.milliseconds(10), on: catalogue)
    }
    borrow.values.observeValues { title in books.modify { $0.append(title) } }
  }
}

let desk = Desk(limit: 4)
desk.books.signal.map(\.count).named("loans").observeValues { print("\($0) books") }
for title in ["Emma", "Kim", "Dracula", "Nana"] {
  if desk.borrow.isEnabled.value { desk.borrow.apply(title).start() }
  Thread.sleep(forTimeInterval: 0.08)
}
print(desk.borrow.isEnabled.value ? "one more" : "that is all: \(desk.books.value)")
