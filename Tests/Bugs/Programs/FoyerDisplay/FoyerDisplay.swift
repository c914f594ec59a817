// Symptom: The display in the foyer stands still while I am in front of it. When I go away it jumps
// to the present numbers.
// Looks at: shown (the numbers on the display)
import Foundation
import Varve

struct Occupancy: Equatable, Sendable {
  let hall: String
  let visitors: Int
}

final class Turnstile: Sendable {
  let occupancy = MutableProperty(Occupancy(hall: "north", visitors: 0))
  private let network = QueueScheduler(name: "network")

  func pass(_ visitors: Int) {
    network.schedule { [occupancy] in
      occupancy.modify {
        $0 = Occupancy(hall: $0.hall, visitors: $0.visitors + visitors)
      }
    }
  }
}

final class FoyerModel: Sendable {
  let isWatched = MutableProperty(false)
  let shown = MutableProperty("")
  private let screen = QueueScheduler(name: "screen")

  /// Saves the screen: it changes only if somebody sees it.
  init(_ turnstile: Turnstile) {
    shown
      <~ turnstile.occupancy.producer
      .throttle(while: isWatched, on: screen)  // culprit
      .map { "\($0.hall): \($0.visitors)" }
      .named("shown")
  }
}

let turnstile = Turnstile()
let model = FoyerModel(turnstile)
model.shown.signal.observeValues { print("display: \($0)") }
for hour in 1...3 {
  turnstile.pass(hour * 10)
  Thread.sleep(forTimeInterval: 0.04)
}
print("somebody comes")
model.isWatched.value = true
for visitors in 1...6 {
  turnstile.pass(visitors)
  Thread.sleep(forTimeInterval: 0.04)
}
print("display says \(model.shown.value), hall has \(turnstile.occupancy.value.visitors)")
model.isWatched.value = false
Thread.sleep(forTimeInterval: 0.05)
