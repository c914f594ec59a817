// Symptom: After one bad ping the depth is "no echo" and never changes again, though the boat sails
// on and the sonar keeps pinging.
// Looks at: the depth on the display ("depth")

import Foundation
import Varve

struct NoEcho: Error {}

final class Sonar: Sendable {
  private let queue = QueueScheduler(name: "sonar")

  /// Sends one ping, and waits for its echo.
  func ping(_ number: Int) -> SignalProducer<Double, NoEcho> {
    SignalProducer { observer, _ in
      Thread.sleep(forTimeInterval: 0.004)
      if number == 5 {
        observer.send(error: NoEcho())
      } else {
        observer.send(value: 12 + Double(number) / 4)
        observer.sendCompleted()
      }
    }
    .start(on: queue)
  }
}

final class Display {
  let depth = MutableProperty("--")

  init(_ sonar: Sonar, pings: Signal<Int, Never>) {
    depth
      <~ pings
      .flatMap(.latest) { sonar.ping($0) }
      .map { String(format: "%.2f m", $0) }
      .flatMapError { _ in SignalProducer(value: "no echo") }  // culprit
      .named("depth")
  }
}

let (pings, trigger) = Signal<Int, Never>.pipe(named: "pings")
let sonar = Sonar()
let display = Display(sonar, pings: pings)
for number in 1...15 {
  trigger.send(value: number)
  Thread.sleep(forTimeInterval: 0.03)
}
print("Depth: \(display.depth.value)")
