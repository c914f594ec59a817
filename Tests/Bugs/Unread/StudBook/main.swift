// Symptom: I enter a foal into the stud book, and the app never comes back. A horse without a known
// mother can be entered.
// Looks at: entries (the pages of the book)
import Foundation
import Varve

struct Horse: Sendable {
  let name: String
  var mother: String?
  var line = "unknown"
}

final class StudBook: Sendable {
  let pages = MutableProperty<[String: Horse]>(["Wega": Horse(name: "Wega", line: "Trakehner")])
  private let registry = QueueScheduler(name: "registry")

  /// The file is not safe for threads: all that reads it runs in the registry.
  func find(_ name: String) -> SignalProducer<Horse?, Never> {
    SignalProducer { [pages] in pages.value[name] }
      .start(on: registry)
  }

  func enter(_ horse: Horse) -> SignalProducer<Horse, Never> {
    SignalProducer(value: horse)
      .observe(on: registry)
      .map { self.completed($0) }
      .on(value: { [pages] horse in pages.modify { $0[horse.name] = horse } })
      .named("entries")
  }

  private func completed(_ horse: Horse) -> Horse {
    guard let name = horse.mother else { return horse }
    var horse = horse
    let mother = find(name).waitForFirst()?.get()  // culprit
    horse.line = mother?.line ?? "unknown"
    return horse
  }
}

final class EntryForm: Sendable {
  let isOpen = MutableProperty(false)
  private let book: StudBook

  init(_ book: StudBook) { self.book = book }

  func save(_ horse: Horse) {
    isOpen.value = true
    book.enter(horse).startWithCompleted { [isOpen] in isOpen.value = false }
  }
}

let book = StudBook()
let form = EntryForm(book)
book.pages.signal.observeValues { print("\($0.count) horses") }
for horse in [Horse(name: "Atlas"), Horse(name: "Lyra", mother: "Wega")] {
  form.save(horse)
  while form.isOpen.value { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
  print("saved \(horse.name)")
}
