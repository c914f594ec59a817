// Symptom: None: screens stop counting when they are closed, and the clock ends with the auction.
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
  func close() { input.sendCompleted() }
}

final class LotScreen {
  static var updates = 0

  let remaining = MutableProperty(60)
  private let observations = ScopedDisposable(CompositeDisposable())

  func viewWillAppear(_ clock: HallClock) {
    observations.inner += clock.seconds
      .map { 60 - $0 }
      .filter { $0 >= 0 }
      .observeValues { [remaining] left in
        remaining.value = left
        LotScreen.updates += 1
      }
  }
}

let clock = HallClock()
for number in 1...40 {
  let screen = LotScreen()
  screen.viewWillAppear(clock)
  clock.tick(number)
  withExtendedLifetime(screen) {}
}
clock.close()
print("40 ticks with one screen each, \(LotScreen.updates) updates")
