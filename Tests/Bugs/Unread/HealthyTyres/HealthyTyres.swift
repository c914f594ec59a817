// Symptom: None. Each telegram of a valve counts once, and the dashboard shows the last pressure.
// Looks at: pressures (the numbers in the dashboard)
import Foundation
import Varve

struct Telegram: Sendable {
  let wheel: String
  let number: Int
  let kilopascals: Int
}

final class Receiver {
  let (telegrams, antenna) = Signal<Telegram, Never>.pipe()
  private var number = 0

  // Valves send each telegram three times, since the rim shields them half of the time.
  func hear(_ wheel: String, kilopascals: Int) {
    number += 1
    for _ in 0..<3 {
      antenna.send(value: Telegram(wheel: wheel, number: number, kilopascals: kilopascals))
    }
  }
}

final class Dashboard {
  let pressures = MutableProperty<[String: Int]>([:])
  let telegrams = MutableProperty(0)

  init(_ receiver: Receiver, on screen: QueueScheduler) {
    let fresh = receiver.telegrams
      .uniqueValues { "\($0.wheel) \($0.number)" }
      .observe(on: screen)
    pressures <~ fresh.scan(into: [String: Int]()) { $0[$1.wheel] = $1.kilopascals }
    telegrams <~ fresh.scan(0) { count, _ in count + 1 }
  }
}

let receiver = Receiver()
let dashboard = Dashboard(receiver, on: QueueScheduler(name: "screen"))
dashboard.pressures.signal.named("pressures").observeValues { pressures in
  print(pressures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
}
for (wheel, kilopascals) in [("front", 170), ("rear", 240), ("front", 200), ("front", 230)] {
  receiver.hear(wheel, kilopascals: kilopascals)
  Thread.sleep(forTimeInterval: 0.03)
}
Thread.sleep(forTimeInterval: 0.1)
let front = dashboard.pressures.value["front"] ?? 0
print(front == 230 && dashboard.telegrams.value == 4 ? "right" : "wrong")
