// Symptom: I switch from the family's plan to the scouts' plan, which has enough tents, and the
// phone warns “9 people without a bed” for a moment, and counts a wrong plan.
// Looks at: missing (the number in the warning)
import Foundation
import Varve

struct Plan: Sendable {
  let name: String
  let people: Int
  let tents: [Int]
}

final class Planner {
  let plan: MutableProperty<Plan>
  let missing: Property<Int>
  let wrongPlans = MutableProperty(0)

  init(_ first: Plan) {
    plan = MutableProperty(first)
    let people = plan.map { $0.people }.skipRepeats()
    let beds = plan.map { $0.tents.reduce(0) { $0 + $1 } }.skipRepeats()
    missing =
      people
      .combineLatest(with: beds)  // culprit
      .map { people, beds in max(0, people - beds) }
    wrongPlans <~ missing.signal.filter { $0 > 0 }.scan(0) { count, _ in count + 1 }
  }
}

let family = Plan(name: "family", people: 5, tents: [2, 3])
let scouts = Plan(name: "scouts", people: 14, tents: [4, 4, 6])
let couple = Plan(name: "couple", people: 2, tents: [2])
let planner = Planner(family)
planner.missing.signal.named("missing").observeValues { count in
  if count > 0 { print("\(count) people without a bed!") }
}
for plan in [scouts, couple, scouts, family, couple] {
  print("plan of the \(plan.name)")
  planner.plan.value = plan
  Thread.sleep(forTimeInterval: 0.03)
}
print("wrong plans: \(planner.wrongPlans.value), should be 0")
