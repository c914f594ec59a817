// Symptom: Meals of some rows are missing on the crew's list, without any message. On another day it
// is other rows.
// Looks at: the meals on the list ("meals")

import Foundation
import Varve

struct Meal {
  var seat: String
  var kind: String
}

enum CateringError: Error {
  case unreadable(row: Int)
}

final class CateringSystem {
  func order(row: Int) -> SignalProducer<Meal, CateringError> {
    SignalProducer<Meal, CateringError> { observer, _ in
      observer.send(value: Meal(seat: "\(row)A", kind: "vegan"))
      guard row % 5 != 3 else { return observer.send(error: .unreadable(row: row)) }
      observer.send(value: Meal(seat: "\(row)C", kind: "kosher"))
      observer.sendCompleted()
    }
  }
}

final class CrewList {
  let meals = MutableProperty<[Meal]>([])
  let warning = MutableProperty("")
  private let catering = CateringSystem()

  func load(rows: ClosedRange<Int>) {
    SignalProducer<Int, CateringError>(rows)
      .flatMap(.concat) { [catering] row in
        catering.order(row: row)
          .flatMapError { _ in SignalProducer<Meal, CateringError>.empty }  // culprit
      }
      .named("meals")
      .startWithResult { [meals, warning] result in
        switch result {
        case .success(let meal): meals.modify { $0.append(meal) }
        case .failure(let error): warning.value = "Ask the ground staff: \(error)"
        }
      }
  }
}

let list = CrewList()
list.load(rows: 1...15)
print("\(list.meals.value.count) of 30 meals")
print("warning: \"\(list.warning.value)\"")
