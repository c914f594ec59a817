// Symptom: Each lot that I open and close leaves something behind: memory grows, and closed lots go on
// counting.
// Looks at: the clock of the hall ("hall clock")

import Foundation
import Varve

final class HallClock {
  let seconds: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() {
    let (output, input) = Signal<Int, Never>.pipe()
    seconds = output.named("hall clock")
    self.input = input
  }

  func tick(_ second: Int) { input.send(value: second) }
}

final class LotScreen {
  static var updates = 0

  let number: Int
  let remaining = MutableProperty(60)

  init(number: Int) { self.number = number }

  func viewWillAppear(_ clock: HallClock) {
    let end = 60 + number
    clock.seconds
      .map { end - $0 }
      .filter { $0 >= 0 }
      .observeValues { [remaining] left in  // culprit
        remaining.value = left
        LotScreen.updates += 1
      }
  }
}

let clock = HallClock()
for number in 1...40 {
  let screen = LotScreen(number: number)
  screen.viewWillAppear(clock)
  clock.tick(number)
}
print("40 ticks with one screen each, \(LotScreen.updates) updates")
