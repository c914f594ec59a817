// Symptom: I looked for apple recipes, then for pears. The list begins with all the apple recipes, and
// the pears come below them.
// Looks at: results (the list of recipes)
import Foundation
import Varve

final class RecipeServer: Sendable {
  private let network = QueueScheduler(name: "recipes")

  /// The recipes with an ingredient, page by page.
  func recipes(with ingredient: String) -> SignalProducer<[String], Never> {
    let kinds = ["pie", "jam", "strudel", "salad", "cake", "sorbet"]
    let pages = stride(from: 0, to: kinds.count, by: 2).map { first in
      kinds[first..<first + 2].map { "\(ingredient) \($0)" }
    }
    return .interval(pages, interval: .milliseconds(15), on: network)
  }
}

final class SearchModel {
  let ingredient = MutableProperty("")
  let results: Property<[String]>
  let count: Property<String>

  init(_ server: RecipeServer, on timers: any TimedScheduler) {
    results = Property(
      initial: [],
      then: ingredient.signal
        .debounce(.milliseconds(10), on: timers)
        .skipRepeats()
        .flatMap(.latest) { server.recipes(with: $0) }
        .scan([]) { $0 + $1 })  // culprit
    count = results.map { $0.isEmpty ? "nothing yet" : "\($0.count) recipes" }
  }
}

let model = SearchModel(RecipeServer(), on: QueueScheduler(name: "timers"))
model.results.signal.named("results").observeValues { print("… \($0.last ?? "")") }
for ingredient in ["apple", "pear"] {
  model.ingredient.value = ingredient
  Thread.sleep(forTimeInterval: 0.2)
  print("\(ingredient): \(model.count.value), the first is \(model.results.value.first ?? "-")")
}
