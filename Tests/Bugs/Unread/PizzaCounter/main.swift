// Symptom: A guest orders one pizza at the terminal, and the kitchen bakes two.
// Looks at: the slips in the kitchen ("slips")
import Foundation
import Varve

struct Slip {
  let number: Int
  let pizza: String
}

final class Kitchen {
  let slips: Signal<Slip, Never>
  private let printer: Signal<Slip, Never>.Observer
  private let queue = QueueScheduler(name: "kitchen")
  private var number = 100

  init() { (slips, printer) = Signal.pipe(named: "slips") }

  func order(_ pizza: String) -> SignalProducer<Slip, Never> {
    SignalProducer { [self] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(10)) { [self] in
        number += 1
        let slip = Slip(number: number, pizza: pizza)
        printer.send(value: slip)
        observer.send(value: slip)
        observer.sendCompleted()
      }
    }
  }
}

final class Terminal {
  private let kitchen: Kitchen
  let screen = MutableProperty("What would you like?")
  let bell = MutableProperty(0)

  init(_ kitchen: Kitchen) { self.kitchen = kitchen }

  func confirm(_ pizza: String) {
    let order = kitchen.order(pizza)
    screen <~ order.map { "Your number is \($0.number)" }
    bell <~ order.delay(.milliseconds(30), on: QueueScheduler.main).map(\.number)  // culprit
  }
}

let kitchen = Kitchen()
kitchen.slips.observeValues { print("slip \($0.number): \($0.pizza)") }
let terminal = Terminal(kitchen)
terminal.bell.signal.observeValues { print("ding: \($0)") }
terminal.confirm("Quattro stagioni")
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.2))
print(terminal.screen.value)
