// Symptom: I type the number of a brake, and in the end the list has the parts of something else.
// Looks at: parts (the list)
import Foundation
import Varve

final class Warehouse: Sendable {
  private let queue = QueueScheduler(name: "warehouse")
  private let stock = [
    "BR-10 lever", "BR-12 pad", "BR-12 cable", "BL-3 bell", "CH-9 chain", "BR-1 hose",
  ]

  func parts(startingWith number: String) -> SignalProducer<[String], Never> {
    SignalProducer { [queue, stock] observer, lifetime in
      let found = stock.filter { $0.hasPrefix(number) }
      lifetime += queue.schedule(after: .milliseconds(15 + 20 * found.count)) {
        observer.send(value: found)
        observer.sendCompleted()
      }
    }
  }
}

final class PartsModel {
  let number = MutableProperty("")
  let parts = MutableProperty<[String]>([], named: "parts")

  init(_ warehouse: Warehouse) {
    parts
      <~ number.signal
      .filter { !$0.isEmpty }
      .skipRepeats()
      .flatMap(.merge) { warehouse.parts(startingWith: $0) }  // culprit
  }
}

let model = PartsModel(Warehouse())
model.parts.signal.observeValues { print($0) }
for number in ["C", "CH", "", "B", "BR", "BR-", "BR-1", "BR-12"] {
  model.number.value = number
  Thread.sleep(forTimeInterval: number.isEmpty ? 0.1 : 0.01)
}
Thread.sleep(forTimeInterval: 0.3)
print("for \(model.number.value): \(model.parts.value)")
