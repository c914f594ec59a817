// Symptom: The longer I leaf through the catalogue, the more memory it takes, and the labels change under
// my thumb.
// Looks at: price (the price in a row of the catalogue)
import Foundation
import Varve

final class Seed {
  let name: String
  let price: MutableProperty<Int>

  init(name: String, cents: Int) {
    self.name = name
    price = MutableProperty(cents, named: "price")
  }
}

final class SeedCell {
  private(set) var label = ""
  private(set) var changes = 0

  func show(_ seed: Seed) {
    seed.price.producer
      .map { cents in "\(seed.name) \(Double(cents) / 100) €" }
      .startWithValues { [weak self] text in  // culprit
        self?.label = text
        self?.changes += 1
      }
  }
}

final class CatalogueView {
  let cells = (0..<6).map { _ in SeedCell() }
  private let seeds: [Seed]
  private var top = 0

  init(_ seeds: [Seed]) { self.seeds = seeds }

  func scroll() {
    top += 1
    cells[top % cells.count].show(seeds[top % seeds.count])
  }
}

let seeds = [
  "Dill", "Basil", "Leek", "Chard", "Radish", "Borage", "Fennel", "Rocket", "Pea", "Bean",
]
.map { Seed(name: $0, cents: 240) }
let view = CatalogueView(seeds)
for step in 1...240 {
  view.scroll()
  if step.isMultiple(of: 20) { seeds[step / 20 % seeds.count].price.value -= 10 }
  Thread.sleep(forTimeInterval: 0.003)
}
print(view.cells.map(\.label), "set", view.cells.map(\.changes).reduce(0, +), "times")
