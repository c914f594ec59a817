// Symptom: The kiosk comes up with "medium" chosen. I press "Brew", and no coffee comes, however
// often I press. If I choose another size and go back to medium, it works.
// Looks at: orders (what is brewed)

import Foundation
import Varve

enum Size: String {
  case small, medium, large

  var millilitres: Int {
    switch self {
    case .small: 120
    case .medium: 200
    case .large: 320
    }
  }
}

final class Machine {
  let poured = MutableProperty(0)
  private let pump = QueueScheduler(name: "pump")

  func pour(_ millilitres: Int) -> SignalProducer<Int, Never> {
    SignalProducer(value: millilitres).delay(.milliseconds(20), on: pump)
  }
}

final class KioskModel {
  let size = MutableProperty(Size.medium, named: "size")
  let sugar = MutableProperty(1)
  let label: Property<String>
  private let (presses, button) = Signal<Void, Never>.pipe(named: "presses")

  init(_ machine: Machine) {
    label = size.map { "\($0.rawValue), \($0.millilitres) ml" }
    machine.poured
      <~ size.signal  // culprit
      .sample(on: presses)
      .named("orders")
      .flatMap(.concat) { machine.pour($0.millilitres) }
      .scan(0) { $0 + $1 }
  }

  func brew() { button.send(value: ()) }
}

let machine = Machine()
let kiosk = KioskModel(machine)
print("chosen: \(kiosk.label.value)")
for press in 1...3 {
  kiosk.brew()
  Thread.sleep(forTimeInterval: 0.08)
  print("press \(press): \(machine.poured.value) ml")
}
kiosk.size.value = .large
kiosk.size.value = .medium
print("chosen: \(kiosk.label.value)")
kiosk.brew()
Thread.sleep(forTimeInterval: 0.08)
print("press 4: \(machine.poured.value) ml")
