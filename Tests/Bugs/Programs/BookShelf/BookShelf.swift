// Symptom: I open my shelf and it is empty, though the books are loaded. If I choose another order
// they all appear.
// Looks at: rows (the list on the shelf)
import Foundation
import Varve

struct Book: Sendable {
  let title: String
  let year: Int
}

enum Order: Sendable {
  case title
  case year
}

final class Settings {
  let order = MutableProperty(Order.title)
  let hidesRead = MutableProperty(false)
}

final class Catalogue: Sendable {
  private let disk = QueueScheduler(name: "disk")

  func load() -> SignalProducer<[Book], Never> {
    SignalProducer(value: [
      Book(title: "Walden", year: 1854), Book(title: "Emma", year: 1815),
      Book(title: "Dubliners", year: 1914),
    ])
    .delay(.milliseconds(30), on: disk)
  }
}

final class Shelf {
  let rows = MutableProperty<[String]>([])
  let isLoading = MutableProperty(true)

  init(_ catalogue: Catalogue, settings: Settings) {
    let books = catalogue.load()
      .on(completed: { [isLoading] in isLoading.value = false })
      .replayLazily(upTo: 1)
    rows
      <~ books
      .filter { !$0.isEmpty }
      .combineLatest(with: settings.order.signal)  // culprit
      .map { books, order in
        books.sorted { order == .title ? $0.title < $1.title : $0.year < $1.year }
      }
      .map { $0.map { "\($0.title) (\($0.year))" } }
      .skipRepeats()
  }
}

let settings = Settings()
let shelf = Shelf(Catalogue(), settings: settings)
shelf.rows.signal.named("rows").observeValues { print($0) }
shelf.isLoading.signal.observeValues { print($0 ? "(loading)" : "(loaded)") }
Thread.sleep(forTimeInterval: 0.3)
print(shelf.rows.value.isEmpty ? "The shelf is empty" : "\(shelf.rows.value.count) books")
