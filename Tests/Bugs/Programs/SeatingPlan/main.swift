// Symptom: I add one guest to the plan of the wedding. From then on the app saves all the time,
// although I do nothing.
// Looks at: saves (what goes to the server)
import Foundation
import Varve

struct Plan: Equatable, Sendable {
  var guests: [String]
  var revision: Int
}

final class PlanServer: Sendable {
  let requests = MutableProperty(0)
  private let network = QueueScheduler(name: "network")

  /// Answers with the plan as it is stored: sorted, and with a new revision.
  func store(_ plan: Plan) -> SignalProducer<Plan, Never> {
    SignalProducer { [requests] in
      requests.modify { $0 += 1 }
      return Plan(guests: plan.guests.sorted(), revision: plan.revision + 1)
    }
    .delay(.milliseconds(6), on: network)
  }
}

final class SeatingModel: Sendable {
  let plan = MutableProperty(Plan(guests: ["Ida", "Otto"], revision: 1))
  let tables: Property<Int>
  private let typing = QueueScheduler(name: "typing")

  init(_ server: PlanServer) {
    tables = plan.map { ($0.guests.count + 7) / 8 }.skipRepeats()
    let stored = plan.signal
      .skipRepeats()
      .debounce(.milliseconds(10), on: typing)
      .flatMap(.latest) { server.store($0) }
      .named("saves")
    plan <~ stored  // culprit
  }

  func add(_ guest: String) {
    plan.modify { $0.guests.append(guest) }
  }
}

let server = PlanServer()
let model = SeatingModel(server)
model.tables.producer.startWithValues { print("\($0) tables") }
model.add("Bruno")
Thread.sleep(forTimeInterval: 0.6)
print(model.plan.value)
print("saved \(server.requests.value) times")
