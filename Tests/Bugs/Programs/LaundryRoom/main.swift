// Symptom: I book a machine, and the confirmation says "0 minutes left". A moment later the list is
// right.
// Looks at: the minutes that are left (the property "left")

import Foundation
import Varve

struct Program {
  var name: String
  var minutes: Int
}

final class Machine {
  let left = MutableProperty(0, named: "left")
  private let controller = QueueScheduler(name: "controller")
  private let commands: Signal<Program, Never>
  private let input: Signal<Program, Never>.Observer

  init() {
    (commands, input) = Signal.pipe()
    left
      <~ commands.observe(on: controller).map { program in
        Thread.sleep(forTimeInterval: 0.005)
        return program.minutes
      }
  }

  func start(_ program: Program) { input.send(value: program) }
}

final class BookingScreen {
  private(set) var messages: [String] = []
  private let machine: Machine

  init(machine: Machine) { self.machine = machine }

  func book(_ program: Program) {
    machine.start(program)
    messages.append("\(program.name): \(machine.left.value) minutes left")  // culprit
  }
}

let machine = Machine()
let screen = BookingScreen(machine: machine)
screen.book(Program(name: "Wool 30°", minutes: 45))
Thread.sleep(forTimeInterval: 0.1)
print(screen.messages.joined(separator: "\n"))
print("In the list: \(machine.left.value) minutes left")
