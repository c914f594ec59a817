// Symptom: None; a request that fails shows the last known wind, and the next one is made all the same.
// Looks at: the wind at the airfield ("wind")

import Foundation
import Varve

struct Wind: Sendable, CustomStringConvertible {
  let knots: Int
  let degrees: Int
  var isOld = false

  var description: String { "\(degrees)° \(knots) kt" + (isOld ? " (old)" : "") }
}

enum RadioError: Error {
  case noise
}

protocol WindSource: Sendable {
  func wind(at field: String) -> SignalProducer<Wind, RadioError>
}

final class Radio: WindSource {
  private let calls = MutableProperty(0)
  private let queue = QueueScheduler(name: "radio")

  func wind(at field: String) -> SignalProducer<Wind, RadioError> {
    SignalProducer { [calls, queue] observer, lifetime in
      let call = calls.modify { (count: inout Int) -> Int in
        count += 1
        return count
      }
      lifetime += queue.schedule(after: .milliseconds(8)) {
        guard call % 3 != 0 else { return observer.send(error: .noise) }
        observer.send(value: Wind(knots: 8 + call, degrees: 240 + field.utf8.count))
        observer.sendCompleted()
      }
    }
  }
}

final class CockpitModel: Sendable {
  let field = MutableProperty("EDNY")
  let wind = MutableProperty(Wind(knots: 0, degrees: 0), named: "wind")
  let failures = MutableProperty(0)

  init(source: any WindSource) {
    let (wind, failures) = (wind, failures)
    wind
      <~ field.producer
      .skipRepeats()
      .flatMap(.latest) { field in
        source.wind(at: field)
          .on(failed: { _ in failures.modify { $0 += 1 } })
          .flatMapError { _ in
            var last = wind.value
            last.isOld = true
            return SignalProducer<Wind, Never>(value: last)
          }
      }
  }
}

let model = CockpitModel(source: Radio())
for field in ["EDNY", "LSZR", "EDTZ", "LSZH", "EDMA", "LOIH", "EDDM"] {
  model.field.value = field
  Thread.sleep(forTimeInterval: 0.04)
  print("\(field): \(model.wind.value)")
}
print("\(model.failures.value) calls failed")
