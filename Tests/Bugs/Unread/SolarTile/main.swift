// Symptom: The system complains that the tile with the power of my panels is changed on another thread
// than the main one. It never does while I only look; it does when I pull down to refresh.
// Looks at: the power that is shown ("power")

import Foundation
import Varve

final class Inverter: Sendable {
  private let modbus = QueueScheduler(name: "modbus")

  /// A reading every few milliseconds.
  var readings: SignalProducer<Int, Never> {
    SignalProducer.interval(.milliseconds(15), on: modbus).map { 3_200 + $0 % 7 * 40 }
  }

  /// Asks for one reading now.
  func readNow() -> SignalProducer<Int, Never> {
    SignalProducer { () -> Int in
      Thread.sleep(forTimeInterval: 0.005)
      return 4_111
    }
    .start(on: modbus)
  }
}

final class PowerTile: Sendable {
  let power = MutableProperty(0, named: "power")
  private let pulls: Signal<Void, Never>
  private let pulled: Signal<Void, Never>.Observer

  init(_ inverter: Inverter) {
    (pulls, pulled) = Signal.pipe()
    power <~ inverter.readings.throttle(.milliseconds(40), on: QueueScheduler.main)
    power <~ pulls.flatMap(.latest) { inverter.readNow() }  // culprit
  }

  func pullDown() { pulled.send(value: ()) }
}

final class Label: Sendable {
  let text = MutableProperty("–")
  let complaints = MutableProperty(0)

  func show(_ watts: Int) {
    if !Thread.isMainThread { complaints.modify { $0 += 1 } }
    text.value = "\(watts) W"
  }
}

let tile = PowerTile(Inverter())
let label = Label()
tile.power.producer.startWithValues { [label] in label.show($0) }
for pull in 1...3 {
  RunLoop.main.run(until: Date() + 0.2)
  print("\(label.text.value), complaints: \(label.complaints.value); pull \(pull)")
  tile.pullDown()
}
RunLoop.main.run(until: Date() + 0.1)
print("\(label.text.value), complaints: \(label.complaints.value)")
