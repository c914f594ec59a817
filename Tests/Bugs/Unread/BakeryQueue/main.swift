// Symptom: Number 52 has been ready for minutes. The screen says that it is still in the oven.
// Looks at: called (the line on the screen)
import Foundation
import Varve

struct Order {
  enum State: String {
    case waiting, oven, ready
  }

  let number: Int
  var state: State
}

final class Oven {
  let orders: Signal<Order, Never>
  private let input: Signal<Order, Never>.Observer

  init() { (orders, input) = Signal.pipe(named: "orders") }

  func move(_ number: Int, to state: Order.State) {
    input.send(value: Order(number: number, state: state))
  }
}

final class CallScreen {
  let called = MutableProperty("", named: "called")

  init(_ oven: Oven) {
    called
      <~ oven.orders
      .filter { $0.state != .waiting }
      .skipRepeats { $0.number == $1.number }  // culprit
      .map { "\($0.number) \($0.state.rawValue)" }
  }
}

let oven = Oven()
let screen = CallScreen(oven)
screen.called.signal.observeValues { print($0) }
for number in 50...52 {
  oven.move(number, to: .waiting)
  Thread.sleep(forTimeInterval: 0.01)
  oven.move(number, to: .oven)
  Thread.sleep(forTimeInterval: 0.03)
  oven.move(number, to: .ready)
  oven.move(number, to: .ready)
  Thread.sleep(forTimeInterval: 0.02)
}
print("the screen says \(screen.called.value)")
