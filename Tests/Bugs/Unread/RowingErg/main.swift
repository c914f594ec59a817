// Symptom: When I change from miles back to metres on the rowing machine, the pace flashes up as if I
// were world champion, and sometimes that is saved as my best.
// Looks at: the line with the pace ("pace")
import Foundation
import Varve

enum Unit: String {
  case metre
  case mile

  var metres: Double { self == .metre ? 1 : 1609 }
}

final class RowingMachine {
  let metres = MutableProperty(0.0)
  let unit = MutableProperty(Unit.metre, named: "unit")

  func row(_ metres: Double) { self.metres.modify { $0 += metres } }
}

final class Monitor {
  let distance: Property<Double>
  let stretch: Property<Double>
  let pace: Property<String>

  /// The time for 500 m, or for a third of a mile.
  init(_ machine: RowingMachine) {
    distance = machine.unit.combineLatest(with: machine.metres).map { $1 / $0.metres }
    stretch = machine.unit.map { $0 == .metre ? 500 : 1 / 3 }
    pace = distance.combineLatest(with: stretch)  // culprit
      .map { distance, stretch in
        distance > 0 ? String(format: "%.1f s", 60 / distance * stretch) : "-"
      }
  }
}

let machine = RowingMachine()
let monitor = Monitor(machine)
monitor.pace.signal.named("pace").observeValues { print("pace: \($0)") }
for _ in 0..<3 {
  machine.row(80)
  Thread.sleep(forTimeInterval: 0.02)
}
machine.unit.value = .mile
Thread.sleep(forTimeInterval: 0.02)
machine.unit.value = .metre
Thread.sleep(forTimeInterval: 0.02)
print("at the end: \(monitor.pace.value)")
