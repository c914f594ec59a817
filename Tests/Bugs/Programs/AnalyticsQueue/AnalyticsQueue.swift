// Symptom: The page of our statistics says that nobody has opened the help for a week. I have opened
// it myself ten times.
// Looks at: received (what the statistics server has got)
import Foundation
import Varve

struct AppEvent: Sendable {
  let name: String
  let screen: String
}

final class StatisticsServer: Sendable {
  let received = MutableProperty<[String]>([])

  func take(_ events: [AppEvent]) -> Int {
    received.modify { $0 += events.map { "\($0.screen)/\($0.name)" } }
    return events.count
  }
}

final class Analytics {
  private let (events, input) = Signal<AppEvent, Never>.pipe()

  init(_ server: StatisticsServer) {
    let queue = QueueScheduler(name: "analytics")
    events
      .filter { !$0.name.isEmpty }
      .collect(count: 2)
      .map { pair in SignalProducer<Int, Never> { server.take(pair) }.start(on: queue) }  // culprit
      .observeValues { answer in
        print("sent a batch: \(answer)")
      }
  }

  func track(_ name: String, on screen: String) {
    input.send(value: AppEvent(name: name, screen: screen))
  }
}

let server = StatisticsServer()
server.received.signal.named("received").observeValues { print("server: \($0)") }

let analytics = Analytics(server)
for _ in 1...3 {
  analytics.track("open", on: "help")
  analytics.track("scroll", on: "help")
}
Thread.sleep(forTimeInterval: 0.2)
print("in the statistics: \(server.received.value.count)")
