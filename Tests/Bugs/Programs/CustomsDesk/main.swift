// Symptom: We hand in the first declaration of the morning, and the desk does not answer. It accepts
// more of them, but there is no duty for any.
// Looks at: the duties ("duties")

import Foundation
import Varve

struct Goods: Sendable {
  let code: String
  let value: Int
}

final class TariffTable: Sendable {
  private let database = QueueScheduler(name: "database")

  /// The duty in per cent; it is delivered on `scheduler`.
  func rate(of code: String, answeringOn scheduler: QueueScheduler) -> SignalProducer<Int, Never> {
    SignalProducer { () -> Int in
      Thread.sleep(forTimeInterval: 0.01)
      return code.hasPrefix("64") ? 17 : 4
    }
    .start(on: database)
    .observe(on: scheduler)
  }
}

final class CustomsDesk: Sendable {
  let duties = MutableProperty<[Int]>([], named: "duties")
  private let desk = QueueScheduler(name: "desk")
  private let declared: Signal<Goods, Never>.Observer

  init(tariffs: TariffTable) {
    let (declarations, declared) = Signal<Goods, Never>.pipe()
    self.declared = declared
    declarations
      .observe(on: desk)
      .observeValues { [desk, duties] goods in
        let isKnown = DispatchSemaphore(value: 0)
        tariffs.rate(of: goods.code, answeringOn: desk).startWithValues { rate in
          duties.modify { $0.append(goods.value * rate / 100) }
          isKnown.signal()
        }
        isKnown.wait()  // culprit
      }
  }

  func declare(_ goods: Goods) { declared.send(value: goods) }
}

let desk = CustomsDesk(tariffs: TariffTable())
for (code, value) in [("6403", 12_000), ("8471", 80_000), ("6404", 3_500)] {
  desk.declare(Goods(code: code, value: value))
}
print("handed in: 3 declarations")
while desk.duties.value.count < 3 { Thread.sleep(forTimeInterval: 0.05) }
print("duties: \(desk.duties.value)")
