// Symptom: None. The alarm rings at the hour that was set last.
// Looks at: ringing (the bell)
import Foundation
import Varve

final class HourClock {
  private let clock = QueueScheduler(name: "clock")

  func wait(for hour: Int) -> SignalProducer<Int, Never> {
    SignalProducer { [clock] observer, lifetime in
      lifetime += clock.schedule(after: .milliseconds(20 * hour)) {
        observer.send(value: hour)
        observer.sendCompleted()
      }
    }
  }
}

final class Bedside {
  let ringing: Signal<Int, Never>
  private let (settings, set) = Signal<Int, Never>.pipe()

  init(_ clock: HourClock) {
    ringing =
      settings
      .filter { (0..<24).contains($0) }
      .flatMap(.latest) { clock.wait(for: $0) }
  }

  func setAlarm(hour: Int) { set.send(value: hour) }
}

let bedside = Bedside(HourClock())
bedside.ringing.named("ringing").observeValues { print("it rings at \($0)") }
for (first, then) in [(7, 8), (6, 9), (5, 4)] {
  bedside.setAlarm(hour: first)
  Thread.sleep(forTimeInterval: 0.03)
  bedside.setAlarm(hour: then)
  Thread.sleep(forTimeInterval: 0.25)
}
