// Symptom: Each time the nurse comes back to the list of patients, a call of a patient makes one beep more.
// At noon the tablet beeps like a slot machine.
// Looks at: the calls that the list hears ("calls")

import Foundation
import Varve

struct PatientCall: Sendable {
  let room: Int
  let isUrgent: Bool
}

final class CallCentre: Sendable {
  let calls: Signal<PatientCall, Never>
  private let input: Signal<PatientCall, Never>.Observer

  init() { (calls, input) = Signal.pipe(named: "calls") }

  func ring(room: Int, isUrgent: Bool = false) {
    input.send(value: PatientCall(room: room, isUrgent: isUrgent))
  }
}

protocol Screen: AnyObject {
  func willAppear()
  func didDisappear()
}

final class PatientList: Screen {
  let beeps = MutableProperty(0)
  private(set) var isVisible = false
  private let centre: CallCentre

  init(centre: CallCentre) { self.centre = centre }

  func willAppear() {
    isVisible = true
    centre.calls
      .filter { $0.room < 300 }
      .observeValues { [beeps] call in beeps.modify { $0 += call.isUrgent ? 2 : 1 } }  // culprit
  }

  func didDisappear() { isVisible = false }
}

final class PatientFile: Screen {
  let room: Int

  init(room: Int) { self.room = room }

  func willAppear() { print("file of room \(room)") }
  func didDisappear() {}
}

final class Navigator {
  private var stack: [any Screen] = []

  func push(_ screen: any Screen) {
    stack.last?.didDisappear()
    stack.append(screen)
    screen.willAppear()
  }

  func pop() {
    stack.popLast()?.didDisappear()
    stack.last?.willAppear()
  }
}

let centre = CallCentre()
let list = PatientList(centre: centre)
let navigator = Navigator()
navigator.push(list)
for room in [201, 204, 211, 215, 207, 202] {
  let before = list.beeps.value
  centre.ring(room: room)
  print("room \(room) calls: \(list.beeps.value - before) beeps")
  navigator.push(PatientFile(room: room))
  Thread.sleep(forTimeInterval: 0.03)
  navigator.pop()
}
