// Symptom: In the morning I open my bicycle box with the app, and it works. In the evening the button is
// grey, and I have to start the app again to get at my bicycle.
// Looks at: the opening of the box ("open")

import Foundation
import Varve

enum BoltState: Sendable {
  case closed, moving, open
}

/// The bolt of a box, over Bluetooth.
final class Bolt: Sendable {
  let state = MutableProperty(BoltState.closed)
  private let radio = QueueScheduler(name: "radio")

  func pull() {
    state.value = .moving
    radio.schedule(after: .milliseconds(30)) { [state] in state.value = .open }
  }

  func shut() { state.value = .closed }
}

final class BoxPage: Sendable {
  let open: Action<Void, BoltState, Never>
  let openings = MutableProperty(0)
  let button: Property<String>

  init(_ bolt: Bolt) {
    open = Action(named: "open") { _ in
      bolt.pull()
      return bolt.state.producer.filter { $0 == .open }  // culprit
    }
    openings <~ open.values.scan(0) { count, _ in count + 1 }
    button = open.isEnabled.map { $0 ? "green" : "grey" }
  }

  func press() { open.apply().start() }
}

let bolt = Bolt()
let page = BoxPage(bolt)
for day in ["Monday", "Tuesday"] {
  for time in ["morning", "evening"] {
    print("\(day), \(time): the button is \(page.button.value)")
    page.press()
    Thread.sleep(forTimeInterval: 0.1)
    print("\(day), \(time): opened \(page.openings.value) times, the bolt is \(bolt.state.value)")
    bolt.shut()
  }
}
