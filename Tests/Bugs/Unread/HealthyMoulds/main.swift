// Symptom: None; each visit of the page listens again, and the visit before does not any more.
// Looks at: the temperature of the mould ("mould")

import Foundation
import Varve

struct MouldState: Sendable, Equatable {
  let degrees: Int
  let measured: Date

  // The time is of no interest to the page.
  static func == (left: Self, right: Self) -> Bool { left.degrees == right.degrees }
}

final class Press: Sendable {
  let states: Signal<MouldState, Never>
  private let input: Signal<MouldState, Never>.Observer
  private let queue = QueueScheduler(name: "press")

  init() { (states, input) = Signal.pipe() }

  func heat() -> any Disposable {
    SignalProducer.interval(.milliseconds(6), on: queue).startWithValues { [input] tick in
      input.send(value: MouldState(degrees: 160 + tick / 5, measured: Date()))
    }
  }
}

protocol Page {
  func appear()
  func disappear()
}

final class MouldPage: Page, Sendable {
  let label = MutableProperty("")
  let updates = MutableProperty(0)
  private let press: Press
  private let visible = SerialDisposable()

  init(press: Press) { self.press = press }

  func appear() {
    visible.inner = press.states
      .skipRepeats()
      .named("mould")
      .observeValues { [label, updates] state in
        label.value = "\(state.degrees) °C"
        updates.modify { $0 += 1 }
      }
  }

  func disappear() { visible.inner = nil }
}

let press = Press()
let heating = press.heat()
let page = MouldPage(press: press)
for visit in 1...4 {
  let before = page.updates.value
  page.appear()
  Thread.sleep(forTimeInterval: 0.1)
  page.disappear()
  print("visit \(visit): \(page.label.value), \(page.updates.value - before) updates")
  Thread.sleep(forTimeInterval: 0.02)
}
heating.dispose()
