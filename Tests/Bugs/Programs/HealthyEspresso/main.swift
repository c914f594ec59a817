// Symptom: None. The size that is chosen at first can be brewed at once, each cup is in the list
// once, and without beans there is a message.
// Looks at: cups (the list of what was brewed)

import Foundation
import Varve

enum MachineError: Error {
  case noBeans
}

// Safety: all that changes is used on the queue "machine".
final class Machine: @unchecked Sendable {
  private var beans = 3
  let isWarm = MutableProperty(false, named: "warm")
  private let queue = QueueScheduler(name: "machine")

  func warmUp() {
    queue.schedule(after: .milliseconds(60)) { [isWarm] in isWarm.value = true }
  }

  func brew(_ size: String) -> SignalProducer<String, MachineError> {
    SignalProducer<String, MachineError> { [self] () -> Result<String, MachineError> in
      guard beans > 0 else { return .failure(.noBeans) }
      beans -= 1
      return .success("a \(size) cup")
    }
    .start(on: queue)
  }
}

final class EspressoModel {
  let size = MutableProperty("small", named: "size")
  let cups = MutableProperty<[String]>([], named: "cups")
  let message = MutableProperty("")
  private let brew: Action<String, String, MachineError>
  private let (presses, button) = Signal<Void, Never>.pipe(named: "presses")

  init(_ machine: Machine) {
    brew = Action(enabledIf: machine.isWarm) { machine.brew($0) }
    brew.values.observeValues { [cups] cup in cups.modify { $0.append(cup) } }
    message <~ brew.values.map { "Here is \($0)" }
    message <~ brew.errors.map { "No coffee: \($0)" }
    message <~ brew.disabledErrors.map(value: "One moment, I am warming up")
    // What was refused or failed is in the message.
    brew <~ size.producer.sample(on: presses)
  }

  func press() { button.send(value: ()) }
}

let machine = Machine()
let espresso = EspressoModel(machine)
machine.warmUp()
espresso.press()
print(espresso.message.value)
let warm = Task(name: "warm") { await machine.isWarm.producer.filter { $0 }.first() }
_ = await warm.value
for size in ["small", "small", "large", "small"] {
  if espresso.size.value != size { espresso.size.value = size }
  espresso.press()
  try await Task.sleep(for: .milliseconds(50))
  print("\(size): \(espresso.message.value)")
}
print(espresso.cups.value)
