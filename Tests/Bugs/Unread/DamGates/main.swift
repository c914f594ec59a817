// Symptom: I opened the gate by radio and closed it at once at the desk. The board says open for ever.
// Looks at: gate (the board)
import Foundation
import Varve

enum Position {
  case open, closed
}

final class RemoteControl {
  let commands: Signal<Position, Never>
  let link = QueueScheduler(name: "link")
  private let input: Signal<Position, Never>.Observer

  init() { (commands, input) = Signal.pipe() }

  func press(_ position: Position) { input.send(value: position) }

  func upload(_ readings: Int) {
    link.schedule { Thread.sleep(forTimeInterval: Double(readings) / 10_000) }
  }
}

final class Desk {
  let commands: Signal<Position, Never>
  private let input: Signal<Position, Never>.Observer

  init() { (commands, input) = Signal.pipe() }

  func press(_ position: Position) { input.send(value: position) }
}

final class Board {
  let gate = MutableProperty(Position.closed, named: "gate")
  private let panel = QueueScheduler(name: "panel")

  init(_ remote: RemoteControl, _ desk: Desk) {
    gate <~ desk.commands.observe(on: panel)
    gate <~ remote.commands.observe(on: remote.link)  // culprit
  }
}

let remote = RemoteControl()
let desk = Desk()
let board = Board(remote, desk)
board.gate.signal.observeValues { print("the board says \($0)") }
remote.press(.open)
Thread.sleep(forTimeInterval: 0.03)
desk.press(.closed)
Thread.sleep(forTimeInterval: 0.03)
remote.upload(900)
remote.press(.open)
Thread.sleep(forTimeInterval: 0.02)
desk.press(.closed)
Thread.sleep(forTimeInterval: 0.25)
print("closed at the desk, on the board: \(board.gate.value)")
