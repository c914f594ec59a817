// Symptom: None. The sign follows the cabin, and is redrawn only when something on it changes.
// Looks at: sign (the text above the door)
import Foundation
import Varve

struct CabinState: Equatable {
  var floor: Int
  var isGoingUp: Bool
  var load = 0
}

final class Cabin {
  let states: Signal<CabinState, Never>
  private let input: Signal<CabinState, Never>.Observer

  init() { (states, input) = Signal.pipe() }

  func pass(_ floor: Int, up: Bool, load: Int) {
    input.send(value: CabinState(floor: floor, isGoingUp: up, load: load))
    Thread.sleep(forTimeInterval: 0.01)
  }
}

final class FloorSign {
  let text: Property<String>

  init(_ cabin: Cabin) {
    text = Property(
      initial: "–",
      then: cabin.states
        .skipRepeats { $0.floor == $1.floor && $0.isGoingUp == $1.isGoingUp }
        .map { "\($0.floor) \($0.isGoingUp ? "up" : "down")" })
  }
}

let cabin = Cabin()
let sign = FloorSign(cabin)
sign.text.signal.named("sign").observeValues { print($0) }
for floor in 0...5 {
  cabin.pass(floor, up: true, load: 3)
  cabin.pass(floor, up: true, load: 4)
}
for floor in stride(from: 5, through: 0, by: -1) { cabin.pass(floor, up: false, load: 2) }
