// Symptom: I start the watering and the controller freezes after "opening". No button on it
// works any more, and I have to pull the plug.
// Looks at: the state of the valves ("valves")
import Foundation
import Varve

enum ValveState {
  case opening, open, closed
}

final class ValveBus {
  let states: Signal<ValveState, Never>
  private let input: Signal<ValveState, Never>.Observer
  private let bus = QueueScheduler(name: "bus")

  init() { (states, input) = Signal.pipe(named: "valves") }

  func perform(_ work: @escaping (ValveBus) -> Void) { bus.schedule { work(self) } }

  func open() -> SignalProducer<ValveState, Never> {
    SignalProducer { [bus, input] observer, lifetime in
      input.send(value: .opening)
      lifetime += bus.schedule(after: .milliseconds(15)) {
        input.send(value: .open)
        observer.send(value: .open)
        observer.sendCompleted()
      }
    }
  }

  func close() { input.send(value: .closed) }
}

final class Watering {
  let finished = DispatchSemaphore(value: 0)

  func start(on bus: ValveBus, litres: Int) {
    bus.perform { [finished] bus in
      guard bus.open().waitForLast() != nil else { return }  // culprit
      Thread.sleep(forTimeInterval: Double(litres) / 1_000)
      bus.close()
      finished.signal()
    }
  }
}

let bus = ValveBus()
bus.states.observeValues { print("valves: \($0)") }
let watering = Watering()
watering.start(on: bus, litres: 40)
watering.finished.wait()
print("the beds are wet")
