// Symptom: I pumped up the front tyre at the petrol station, and the dashboard still shows the 1.7
// bar from before.
// Looks at: pressures (the numbers in the dashboard)
import Foundation
import Varve

enum Wheel: String, Hashable, Sendable {
  case front
  case rear
}

struct Telegram: Sendable {
  let wheel: Wheel
  let number: Int
  let kilopascals: Int
  let battery: Double
}

final class Receiver {
  let (telegrams, antenna) = Signal<Telegram, Never>.pipe()
  private var number = 0

  // Valves send each telegram three times, since the rim shields them half of the time.
  func hear(_ wheel: Wheel, kilopascals: Int, battery: Double = 2.9) {
    number += 1
    for _ in 0..<3 {
      antenna.send(
        value: Telegram(wheel: wheel, number: number, kilopascals: kilopascals, battery: battery))
    }
  }
}

final class Dashboard {
  let pressures = MutableProperty<[Wheel: Double]>([:])
  let warning: Property<String?>

  init(_ receiver: Receiver, on screen: QueueScheduler) {
    pressures
      <~ receiver.telegrams
      .filter { $0.battery > 2.2 }
      .uniqueValues { $0.wheel }  // culprit
      .observe(on: screen)
      .scan(into: [Wheel: Double]()) { $0[$1.wheel] = Double($1.kilopascals) / 100 }
    warning =
      pressures
      .map { $0.filter { $0.value < 2 }.keys.map(\.rawValue).sorted() }
      .map { $0.isEmpty ? nil : "Check " + $0.joined(separator: ", ") }
  }
}

let receiver = Receiver()
let dashboard = Dashboard(receiver, on: QueueScheduler(name: "screen"))
dashboard.pressures.signal.named("pressures").observeValues { pressures in
  let texts = pressures.sorted { $0.key.rawValue < $1.key.rawValue }
    .map { "\($0.key.rawValue) \($0.value)" }
  print(texts.joined(separator: ", "))
}
receiver.hear(.front, kilopascals: 170)
receiver.hear(.rear, kilopascals: 240)
Thread.sleep(forTimeInterval: 0.1)
print("(at the petrol station)")
for kilopascals in [190, 215, 230] {
  receiver.hear(.front, kilopascals: kilopascals)
  Thread.sleep(forTimeInterval: 0.05)
}
receiver.hear(.rear, kilopascals: 240)
Thread.sleep(forTimeInterval: 0.1)
print(dashboard.warning.value ?? "All tyres are fine")
