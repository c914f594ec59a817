// Symptom: The florist's workshop makes each wreath that I order in the app twice, and twice the money is
// taken from my card.
// Looks at: the order at the server ("place order")

import Foundation
import Varve

struct Wreath: Sendable {
  let flowers: String
  let ribbon: String
  let cents: Int
}

struct Confirmation: Sendable {
  let number: Int
  let cents: Int
}

enum OrderError: Error {
  case soldOut(String)
}

protocol OrderAPI: Sendable {
  func place(_ wreath: Wreath) -> SignalProducer<Confirmation, OrderError>
}

final class Workshop: OrderAPI {
  let bench = MutableProperty<[String]>([])
  private let network = QueueScheduler(name: "network")

  func place(_ wreath: Wreath) -> SignalProducer<Confirmation, OrderError> {
    SignalProducer { [bench, network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(15)) {
        guard wreath.flowers != "peonies" else {
          return observer.send(error: .soldOut(wreath.flowers))
        }
        let number: Int = bench.modify {
          $0.append("\(wreath.flowers), \"\(wreath.ribbon)\"")
          return $0.count
        }
        observer.send(value: Confirmation(number: number, cents: wreath.cents))
        observer.sendCompleted()
      }
    }
    .named("place order")
  }
}

final class OrderController: Sendable {
  let status = MutableProperty("")
  let spent = MutableProperty(0)
  private let api: any OrderAPI

  init(api: any OrderAPI) { self.api = api }

  func orderTapped(_ wreath: Wreath) {
    status.value = "sending …"
    let order = api.place(wreath)
    order.startWithResult { [status] result in
      switch result {
      case .success(let confirmation): status.value = "order \(confirmation.number) is placed"
      case .failure(.soldOut(let flowers)): status.value = "no more \(flowers) today"
      }
    }
    let costs = order.map(\.cents).flatMapError { _ in SignalProducer(value: 0) }
    costs.startWithValues { [spent] cents in spent.modify { $0 += cents } }  // culprit
  }
}

let workshop = Workshop()
let controller = OrderController(api: workshop)
for (flowers, ribbon) in [("lilies", "We miss you"), ("peonies", "Rest"), ("roses", "Aunt Ida")] {
  controller.orderTapped(Wreath(flowers: flowers, ribbon: ribbon, cents: 8_900))
  Thread.sleep(forTimeInterval: 0.08)
  print(controller.status.value)
}
print("on the bench:")
for wreath in workshop.bench.value { print(" ", wreath) }
