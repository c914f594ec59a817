// Symptom: I open and close the settings a few times, and with each time the app needs more memory
// and reacts a little slower.
// Looks at: the clock that every screen follows ("clock")

import Foundation
import Varve

final class Clock {
  let ticks: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let queue = QueueScheduler(name: "clock")

  init() {
    let pipe = Signal<Int, Never>.pipe()
    ticks = pipe.output.named("clock")
    input = pipe.input
    SignalProducer.interval(.milliseconds(10), on: queue)
      .take(first: 100)
      .startWithValues { [input] in input.send(value: $0) }
  }
}

final class Preferences {
  private let disk = QueueScheduler(name: "disk")
  private(set) var stored: [String: Bool] = [:]

  func store(_ value: Bool, for key: String) -> SignalProducer<String, Never> {
    SignalProducer { [disk] observer, lifetime in
      lifetime += disk.schedule { [self] in
        stored[key] = value
        observer.send(value: key)
        observer.sendCompleted()
      }
    }
  }
}

final class SettingsPanel {
  static var alive = 0

  let clockText = MutableProperty("")
  let lastSaved = MutableProperty("")
  private(set) var sounds = true
  private let preferences: Preferences
  private var toggle: Action<Void, String, Never>!

  init(clock: Clock, preferences: Preferences) {
    self.preferences = preferences
    Self.alive += 1
    clockText <~ clock.ticks.map { "0:\($0)" }
    toggle = Action {  // culprit
      self.sounds.toggle()
      return preferences.store(self.sounds, for: "sounds")
    }
    lastSaved <~ toggle.values
  }

  func press() { toggle.apply().start() }

  deinit { Self.alive -= 1 }
}

let clock = Clock()
let preferences = Preferences()
for _ in 0..<35 {
  let panel = SettingsPanel(clock: clock, preferences: preferences)
  panel.press()
  Thread.sleep(forTimeInterval: 0.025)
}
print("panels alive: \(SettingsPanel.alive)")
