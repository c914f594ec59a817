// Symptom: None. A station fails now and then, and is asked again; the countdown ends at zero.
// Looks at: the state of the launchpad ("launchpad")

import Foundation
import Varve

struct Silent: Error {}

final class Station: Sendable {
  private let name: String
  private let failures: MutableProperty<Int>
  private let radio = QueueScheduler(name: "radio")

  init(_ name: String, failing count: Int) {
    self.name = name
    failures = MutableProperty(count)
  }

  func poll() -> SignalProducer<String, Silent> {
    SignalProducer { [name, failures] () -> Result<String, Silent> in
      let left = failures.modify { count -> Int in
        count -= 1
        return count
      }
      return left >= 0 ? .failure(Silent()) : .success("\(name) is go")
    }
    .start(on: radio)
    .retry(upTo: 2, interval: .milliseconds(15), on: radio)
    .named("poll")
  }
}

let stations = [
  Station("fuel", failing: 1), Station("range", failing: 0), Station("weather", failing: 2),
  Station("tower", failing: 9),
]
let clock = QueueScheduler(name: "clock")
let lines = MutableProperty<[String]>([])

/// The tower may be silent: it is not asked more than three times, and the rules do not need it.
let polls = SignalProducer(stations)
  .flatMap(.concat) { station in
    station.poll().flatMapError { _ in SignalProducer(value: "no answer") }
  }
let countdown = SignalProducer<Int, Never>.interval(.milliseconds(30), on: clock)
  .map { 5 - $0 }
  .take(while: { $0 >= 0 })
  .map { $0 == 0 ? "lift off" : "\($0)" }

let done = DispatchSemaphore(value: 0)
polls.concat(countdown)
  .named("launchpad")
  .on(completed: { done.signal() })
  .startWithValues { line in lines.modify { $0.append(line) } }
done.wait()
print(lines.value.joined(separator: ", "))
