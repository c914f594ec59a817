// Symptom: On my pad table 4 is "free", though two guests sit there and have ordered. When I go to
// another table and come back, it is right, until something changes again.
// Looks at: the line of the table that is chosen ("table")
import Foundation
import Varve

struct Table: Equatable {
  enum State: Equatable {
    case free
    case seated(guests: Int)
    case ordered(cents: Int)
  }

  let number: Int
  var state = State.free
}

/// What the tills of the house tell each other.
final class Floor {
  let tables: MutableProperty<[Table]>

  init(_ count: Int) {
    tables = MutableProperty((1...count).map { Table(number: $0) })
  }

  func set(_ number: Int, _ state: Table.State) {
    tables.modify { $0[number - 1].state = state }
  }
}

final class Pad {
  let chosen = MutableProperty(4)
  let line: Property<String>

  init(_ floor: Floor, on screen: any Scheduler) {
    let table = chosen.producer
      .combineLatest(with: floor.tables.producer)
      .map { number, tables in tables[number - 1] }
      // Most changes are those of other tables.
      .skipRepeats { $0.number == $1.number }  // culprit
    let text = table.map { table -> String in
      switch table.state {
      case .free: "table \(table.number): free"
      case .seated(let guests): "table \(table.number): \(guests) guests"
      case .ordered(let cents): "table \(table.number): \(cents / 100) euros"
      }
    }
    line = Property(initial: "", then: text.observe(on: screen))
  }
}

let floor = Floor(8)
let pad = Pad(floor, on: QueueScheduler(name: "screen"))
pad.line.producer.filter { !$0.isEmpty }.named("table").startWithValues { print($0) }

func wait() { Thread.sleep(forTimeInterval: 0.03) }
wait()
floor.set(2, .seated(guests: 5))
wait()
floor.set(4, .seated(guests: 2))
wait()
floor.set(4, .ordered(cents: 3_150))
wait()
print("the till: \(floor.tables.value[3].state), the pad: '\(pad.line.value)'")
pad.chosen.value = 2
wait()
pad.chosen.value = 4
wait()
floor.set(4, .free)
wait()
print("the till: \(floor.tables.value[3].state), the pad: '\(pad.line.value)'")
