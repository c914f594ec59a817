// Symptom: None. Each order is baked once, though the screen and the bell follow it.
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
  private let oven = QueueScheduler(name: "oven")
  let screen = MutableProperty("What would you like?")
  let bell = MutableProperty(0)

  init(_ kitchen: Kitchen) { self.kitchen = kitchen }

  func confirm(_ pizza: String) {
    let order = kitchen.order(pizza).replayLazily(upTo: 1)
    screen <~ order.map { "Your number is \($0.number)" }
    bell <~ order.delay(.milliseconds(20), on: oven).map(\.number)
  }
}

let kitchen = Kitchen()
kitchen.slips.observeValues { print("slip \($0.number): \($0.pizza)") }
let terminal = Terminal(kitchen)
terminal.bell.signal.observeValues { print("ding: \($0)") }
for pizza in ["Quattro stagioni", "Margherita", "Calzone"] {
  terminal.confirm(pizza)
  Thread.sleep(forTimeInterval: 0.06)
  print(terminal.screen.value)
}
