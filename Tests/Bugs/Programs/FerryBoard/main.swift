// Symptom: The harbour master put "Mind the wet steps" on the board of the pier. Since then no
// departure appears on it any more, though the ferries go.
// Looks at: text (what the board shows)

import Foundation
import Varve

struct Departure {
  let ferry: String
  let minutes: Int
}

final class Pier {
  let departures: Signal<Departure, Never>
  let notices: Signal<String, Never>
  private let ferries: Signal<Departure, Never>.Observer
  private let office: Signal<String, Never>.Observer

  init() {
    (departures, ferries) = Signal.pipe(named: "departures")
    (notices, office) = Signal.pipe(named: "notices")
  }

  func announce(_ ferry: String, in minutes: Int) {
    ferries.send(value: Departure(ferry: ferry, minutes: minutes))
  }

  func notify(_ text: String) { office.send(value: text) }
}

final class PierBoard {
  let text = MutableProperty("Welcome", named: "text")
  private(set) var redrawn = 0

  init(_ pier: Pier, on display: any Scheduler) {
    text
      <~ pier.departures
      .map { "\($0.ferry) leaves in \($0.minutes) min" }
      .take(untilReplacement: pier.notices.map { "! \($0)" })  // culprit
      .observe(on: display)
    text.signal.observeValues { [unowned self] text in
      redrawn += 1
      print("  [\(text)]")
    }
  }
}

let pier = Pier()
let board = PierBoard(pier, on: QueueScheduler(name: "display"))
let ferries = ["Seagull", "Heron", "Cormorant", "Tern"]
for (index, ferry) in ferries.enumerated() {
  print("\(ferry) is announced")
  pier.announce(ferry, in: 10 + index)
  Thread.sleep(forTimeInterval: 0.06)
  if index == 1 { pier.notify("Mind the wet steps") }
  Thread.sleep(forTimeInterval: 0.06)
}
print("redrawn \(board.redrawn) times for 4 ferries and a notice")
