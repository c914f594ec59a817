// Symptom: The boarding page follows the changes of my gate. Once I have closed the seat map it stays at
// the old one, while the screens in the hall show another.
// Looks at: gate (the gate on the boarding page)
import Foundation
import Varve

struct Announcement {
  let flight: String
  let gate: String
}

final class Airport {
  let announcements: Signal<Announcement, Never>
  private let input: Signal<Announcement, Never>.Observer

  init() { (announcements, input) = Signal.pipe(named: "announcements") }

  func announce(_ flight: String, at gate: String) {
    print("hall: \(flight) at \(gate)")
    input.send(value: Announcement(flight: flight, gate: gate))
  }
}

final class SeatMap {
  let lifetime: Lifetime
  let title = MutableProperty("")
  private let token: Lifetime.Token

  init() { (lifetime, token) = Lifetime.make() }
}

final class BoardingPage {
  let gate = MutableProperty("–")
  private let flight: String
  private let airport: Airport
  private var seatMap: SeatMap?

  init(flight: String, airport: Airport) {
    self.flight = flight
    self.airport = airport
  }

  func appear() {
    let map = SeatMap()
    let mine = airport.announcements.filter { [flight] in $0.flight == flight }.map(\.gate)
    map.title <~ mine.map { "Seats, boarding at \($0)" }
    gate <~ mine.take(during: map.lifetime)  // culprit
    seatMap = map
  }

  func closeSeatMap() { seatMap = nil }
}

let airport = Airport()
let page = BoardingPage(flight: "VV 112", airport: airport)
page.gate.signal.named("gate").observeValues { print("page: \($0)") }
page.appear()
airport.announce("VV 112", at: "A14")
airport.announce("VV 800", at: "C2")
airport.announce("VV 112", at: "A16")
page.closeSeatMap()
Thread.sleep(forTimeInterval: 0.05)
airport.announce("VV 800", at: "C4")
airport.announce("VV 112", at: "B3")
Thread.sleep(forTimeInterval: 0.05)
print("I run to \(page.gate.value)")
