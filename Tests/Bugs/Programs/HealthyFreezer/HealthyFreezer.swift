// Symptom: None. The warning comes once, when the door is open for too long, and the message gets
// through at the second attempt.
// Looks at: the warning on my phone ("warning")
import Foundation
import Varve

struct Status: Sendable, Equatable {
  let isOpen: Bool
  let celsius: Double
}

enum PhoneError: Error {
  case noConnection
}

final class Phone: Sendable {
  private let attempts = MutableProperty(0)
  private let network = QueueScheduler(name: "network")

  func notify(_ text: String) -> SignalProducer<String, PhoneError> {
    SignalProducer { [attempts] () -> Result<String, PhoneError> in
      let attempt = attempts.modify { count -> Int in
        count += 1
        return count
      }
      return attempt == 1 ? .failure(.noConnection) : .success(text)
    }
    .start(on: network)
  }
}

final class Freezer {
  let celsius: Property<Double>
  let warning: Signal<String, Never>

  init(
    _ statuses: Signal<Status, Never>, phone: Phone, patience: Duration,
    on home: any TimedScheduler
  ) {
    celsius = Property(initial: -18, then: statuses.producer.map { $0.celsius }.skipRepeats())
    warning =
      statuses
      .map { $0.isOpen }
      .skipRepeats()
      .flatMap(.latest) { isOpen -> SignalProducer<String, Never> in
        guard isOpen else { return .empty }
        return SignalProducer(value: "The freezer is open!").delay(patience, on: home)
      }
      .flatMap(.concat) { text in
        phone.notify(text).retry(upTo: 3, interval: .milliseconds(20), on: home)
          .flatMapError { _ in SignalProducer(value: "not sent: \(text)") }
      }
      .named("warning")
  }
}

let (statuses, sensor) = Signal<Status, Never>.pipe()
let freezer = Freezer(
  statuses, phone: Phone(), patience: .milliseconds(120), on: QueueScheduler(name: "home"))
let warnings = MutableProperty<[String]>([])
warnings <~ freezer.warning.scan([]) { $0 + [$1] }
freezer.celsius.signal.observeValues { print("\($0.formatted())°") }
for step in 0..<30 {
  let isOpen = step == 2 || step == 3 || step > 6
  sensor.send(value: Status(isOpen: isOpen, celsius: -18 + Double(max(0, step - 8)) / 2))
  Thread.sleep(forTimeInterval: 0.022)
}
sensor.send(value: Status(isOpen: false, celsius: freezer.celsius.value))
Thread.sleep(forTimeInterval: 0.1)
print("warnings: \(warnings.value), \(freezer.celsius.value.formatted())°")
