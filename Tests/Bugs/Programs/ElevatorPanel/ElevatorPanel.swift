// Symptom: The arrow above the elevator's door still points up, although the cabin has turned
// round at my floor and goes down.
// Looks at: the sign above the door ("sign")
import Foundation
import Varve

enum Direction: String {
  case up, down, idle
}

struct CabinState {
  var floor: Int
  var direction: Direction
  var isDoorOpen: Bool
}

final class Cabin {
  let states: Signal<CabinState, Never>
  private let input: Signal<CabinState, Never>.Observer
  private var state = CabinState(floor: 0, direction: .idle, isDoorOpen: true)

  init() { (states, input) = Signal.pipe() }

  func travel(_ floors: [Int], _ direction: Direction) {
    for floor in floors {
      state.floor = floor
      state.direction = direction
      state.isDoorOpen = false
      input.send(value: state)
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  func openDoor() {
    state.isDoorOpen = true
    input.send(value: state)
  }
}

final class FloorSign {
  let text: Property<String>

  init(_ cabin: Cabin) {
    text = Property(
      initial: "0",
      then: cabin.states
        .skipRepeats { $0.floor == $1.floor }  // culprit
        .map { "\($0.floor) \($0.direction)" })
  }
}

let cabin = Cabin()
let sign = FloorSign(cabin)
sign.text.signal.named("sign").observeValues { print("sign: \($0)") }
cabin.travel([1, 2, 3, 4], .up)
cabin.openDoor()
cabin.travel([4], .down)
Thread.sleep(forTimeInterval: 0.2)
print("the cabin goes down, the sign says \(sign.text.value)")
