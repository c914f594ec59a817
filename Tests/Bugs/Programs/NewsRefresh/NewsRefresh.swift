// Symptom: When the news server was down in the morning, my phone was hot and half empty at nine. The
// people who run the server say that I have sent them thousands of requests.
// Looks at: refresh (the action that loads the news)
import Foundation
import Varve

enum NewsError: Error {
  case unavailable
}

final class NewsServer: Sendable {
  let isUp = MutableProperty(false)
  let requests = MutableProperty(0)
  private let network = QueueScheduler(name: "news")

  func headlines() -> SignalProducer<[String], NewsError> {
    SignalProducer { [isUp, requests, network] observer, lifetime in
      requests.modify { $0 += 1 }
      lifetime += network.schedule {
        guard isUp.value else { return observer.send(error: .unavailable) }
        observer.send(value: ["Bridge reopened", "Rain until Friday"])
        observer.sendCompleted()
      }
    }
  }
}

final class NewsModel {
  let headlines = MutableProperty<[String]>([])
  let banner = MutableProperty("")
  let refresh: Action<Void, [String], NewsError>

  init(_ server: NewsServer, on interface: any Scheduler) {
    refresh = Action(named: "refresh") { server.headlines() }
    headlines <~ refresh.values
    banner <~ refresh.values.map(value: "")
    banner <~ refresh.errors.map { _ in "No connection. Trying again…" }
    refresh
      <~ refresh.errors  // culprit
      .map { _ in () }
      .observe(on: interface)
  }

  func pull() { refresh.apply().start() }
}

let server = NewsServer()
let model = NewsModel(server, on: QueueScheduler(name: "interface"))
model.pull()
Thread.sleep(forTimeInterval: 0.12)
print("\(model.banner.value) \(server.requests.value) requests")
server.isUp.value = true
Thread.sleep(forTimeInterval: 0.1)
print("\(model.headlines.value.count) headlines after \(server.requests.value) requests")
