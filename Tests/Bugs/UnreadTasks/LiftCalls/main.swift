// Symptom: When a whole floor wants to go home at five, some people press the button, its lamp is lit,
// and no car ever comes for them.
// Looks at: the calls that the control answers ("control")

import Foundation

struct Call: Sendable {
  let floor: Int
  let isUp: Bool
}

final class CallButtons: Sendable {
  let calls: AsyncStream<Call>
  private let input: AsyncStream<Call>.Continuation

  init() {
    (calls, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(4))  // culprit
  }

  func press(floor: Int, isUp: Bool) { input.yield(Call(floor: floor, isUp: isUp)) }
  func switchOff() { input.finish() }
}

actor Car {
  private(set) var answered: [Int] = []

  func drive(to call: Call) async {
    try? await Task.sleep(for: .milliseconds(25))
    answered.append(call.floor)
  }
}

struct LiftControl: Sendable {
  let buttons: CallButtons
  let car: Car

  func run() async {
    for await call in buttons.calls { await car.drive(to: call) }
  }
}

let buttons = CallButtons()
let car = Car()
let control = Task(name: "control") { await LiftControl(buttons: buttons, car: car).run() }
var pressed: [Int] = []

/// Some people come to the buttons, one after the other.
@MainActor
func arrive(at floors: [Int], every pause: Duration) async throws {
  for floor in floors {
    buttons.press(floor: floor, isUp: false)
    pressed.append(floor)
    try await Task.sleep(for: pause)
  }
}

try await arrive(at: [3, 9], every: .milliseconds(60))
print("two o'clock: pressed \(pressed), answered \(await car.answered)")
try await arrive(at: [12, 11, 7, 8, 6, 5, 10, 4, 2, 14], every: .milliseconds(4))
buttons.switchOff()
await control.value
let answered = await car.answered
print("five o'clock: pressed \(pressed), answered \(answered)")
print("still waiting on: \(pressed.filter { !answered.contains($0) })")
