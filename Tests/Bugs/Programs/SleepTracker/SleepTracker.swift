// Symptom: I changed the alarm from seven to eight. It rang at seven and at eight.
// Looks at: ringing (the bell)
import Foundation
import Varve

struct Alarm {
  let hour: Int
}

final class AlarmClock {
  private let clock = QueueScheduler(name: "clock")

  /// Sends the alarm at its hour; an hour has 20 ms.
  func wait(for alarm: Alarm) -> SignalProducer<Alarm, Never> {
    SignalProducer { [clock] observer, lifetime in
      lifetime += clock.schedule(after: .milliseconds(20 * alarm.hour)) {
        observer.send(value: alarm)
        observer.sendCompleted()
      }
    }
  }
}

final class Bedroom {
  let ringing: Signal<Alarm, Never>
  private let (settings, set) = Signal<Alarm, Never>.pipe()

  init(_ clock: AlarmClock) {
    ringing =
      settings
      .filter { (0..<24).contains($0.hour) }
      .flatMap(.merge) { clock.wait(for: $0) }  // culprit
  }

  func setAlarm(hour: Int) { set.send(value: Alarm(hour: hour)) }
}

let bedroom = Bedroom(AlarmClock())
bedroom.ringing.named("ringing").observeValues { print("it rings at \($0.hour)") }
bedroom.setAlarm(hour: 7)
Thread.sleep(forTimeInterval: 0.05)
bedroom.setAlarm(hour: 8)
Thread.sleep(forTimeInterval: 0.4)
