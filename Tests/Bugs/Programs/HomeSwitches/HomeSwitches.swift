// Symptom: I switched off everything at the wall panel, one switch after the other. The lamps in the
// hall and the kitchen stayed on; only the last one obeyed.
// Looks at: confirmed (the list of what the bridge has confirmed)
import Foundation
import Varve

struct Command {
  let device: String
  let isOn: Bool
}

final class Bridge: Sendable {
  private let radio = QueueScheduler(name: "radio")
  let lamps = MutableProperty(["hall": true, "kitchen": true, "desk": true])

  func send(_ command: Command) -> SignalProducer<Command, Never> {
    SignalProducer { [radio, lamps] observer, lifetime in
      lifetime += radio.schedule(after: .milliseconds(50)) {
        lamps.modify { $0[command.device] = command.isOn }
        observer.send(value: command)
        observer.sendCompleted()
      }
    }
  }
}

final class WallPanel {
  let confirmed: Property<[String]>
  private let (presses, pressed) = Signal<Command, Never>.pipe()

  init(_ bridge: Bridge) {
    confirmed = Property(
      initial: [],
      then:
        presses
        .flatMap(.latest) { bridge.send($0) }  // culprit
        .scan([]) { $0 + ["\($1.device) \($1.isOn ? "on" : "off")"] })
  }

  func press(_ device: String, on isOn: Bool) {
    pressed.send(value: Command(device: device, isOn: isOn))
  }
}

let bridge = Bridge()
let panel = WallPanel(bridge)
panel.confirmed.signal.named("confirmed").observeValues { print($0) }

for device in ["hall", "kitchen", "desk"] {
  panel.press(device, on: false)
  Thread.sleep(forTimeInterval: 0.02)
}
Thread.sleep(forTimeInterval: 0.3)
print("still on: \(bridge.lamps.value.filter(\.value).keys.sorted())")
