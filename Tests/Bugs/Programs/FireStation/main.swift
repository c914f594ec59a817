// Symptom: Some calls are read out twice by the loudspeaker, others once. The dispatcher swears that
// she enters each once.
// Looks at: the announcements ("announcements")

import Foundation
import Varve

struct Call {
  enum Priority: Int { case low = 1, middle, high }

  var street: String
  var priority: Priority
}

final class ControlRoom {
  let calls: Signal<Call, Never>
  private let input: Signal<Call, Never>.Observer

  init() { (calls, input) = Signal.pipe() }

  func enter(_ street: String, _ priority: Call.Priority) {
    input.send(value: Call(street: street, priority: priority))
  }
}

final class Station {
  let announcements: Signal<String, Never>
  let gateOpens: Signal<Void, Never>

  init(room: ControlRoom) {
    // From middle priority on, the gong goes before the text, and the gate opens.
    let urgent = room.calls
      .filter { $0.priority.rawValue >= 2 }
    let others = room.calls
      .filter { $0.priority.rawValue <= 2 }  // culprit
    gateOpens = urgent.map(value: ())
    announcements = Signal.merge(
      urgent.map { "*GONG* \($0.street)" },
      others.map { $0.street }
    )
    .named("announcements")
  }
}

final class Loudspeaker {
  private(set) var spoken: [String] = []

  init(_ texts: Signal<String, Never>) {
    texts.observeValues { [weak self] in self?.spoken.append($0) }
  }
}

let room = ControlRoom()
let station = Station(room: room)
let loudspeaker = Loudspeaker(station.announcements)
var gates = 0
station.gateOpens.observeValues { gates += 1 }
room.enter("Mill Lane 4", .high)
room.enter("School Street 11", .middle)
room.enter("Cat in a tree, Park Row", .low)
room.enter("Harbour, pier 2", .middle)
print(loudspeaker.spoken.joined(separator: "\n"))
print("the gate was opened \(gates) times")
