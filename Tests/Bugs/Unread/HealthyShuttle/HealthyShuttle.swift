// Symptom: none. Seats and names are paired one by one on purpose, and the list of guests ends
// early because the shuttle is full.
// Looks at: who travels on which seat ("boarding")

import Foundation
import Varve

final class Shuttle {
  let boarding: SignalProducer<(String, String), Never>
  private let guest: Signal<String, Never>.Observer

  init(seats: [String]) {
    let (guests, guest) = Signal<String, Never>.pipe(named: "guests")
    self.guest = guest
    boarding = SignalProducer<String, Never>(seats)
      .zip(with: guests.filter { !$0.isEmpty }.skipRepeats())
      .named("boarding")
  }

  func board(_ name: String) { guest.send(value: name) }
}

let shuttle = Shuttle(seats: ["1A", "1B", "2A"])
let manifest = MutableProperty<[String]>([], named: "manifest")
let isFull = MutableProperty(false, named: "full")
shuttle.boarding.start { event in
  switch event {
  case .value(let (seat, name)): manifest.modify { $0.append("\(seat) \(name)") }
  case .completed: isFull.value = true
  case .failed, .interrupted: break
  }
}

for name in ["Anna", "", "Björn", "Björn", "Cleo", "Dora"] {
  shuttle.board(name)
  Thread.sleep(forTimeInterval: 0.02)
}
print(manifest.value.joined(separator: ", "), isFull.value ? "— full" : "")
