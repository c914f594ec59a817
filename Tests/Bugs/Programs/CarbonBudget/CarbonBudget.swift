// Symptom: I type 333 kg for a flight, and the number climbs by itself, and with it the ring, until
// the budget of the year is used up.
// Looks at: kilos (the number in the field)
import Foundation
import Varve

final class Budget: Sendable {
  let limit = 17_013.0
  let kilos = MutableProperty(0.0, named: "kilos")
  let permille = MutableProperty(0.0)
}

/// The field of the number and the ring beside it change each other.
final class BudgetScreen: Sendable {
  private let budget: Budget
  private let field = QueueScheduler(name: "field")
  private let ring = QueueScheduler(name: "ring")

  init(_ budget: Budget) {
    self.budget = budget
    let limit = budget.limit
    budget.permille
      <~ budget.kilos.signal
      .skipRepeats()
      .observe(on: ring)
      .map { ($0 / limit * 1000).rounded(.up) }
    budget.kilos
      <~ budget.permille.signal  // culprit
      .skipRepeats()
      .observe(on: field)
      .map { ($0 * limit / 1000).rounded(.up) }
  }

  func type(_ kilos: Double) { budget.kilos.value = kilos }
  func drag(to permille: Double) { budget.permille.value = permille }
}

let budget = Budget()
let screen = BudgetScreen(budget)
screen.type(333)
for _ in 1...5 {
  Thread.sleep(forTimeInterval: 0.02)
  print("\(budget.kilos.value) kg, \(budget.permille.value) ‰")
}
