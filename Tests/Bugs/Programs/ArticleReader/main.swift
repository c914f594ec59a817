// Symptom: If an article does not exist any more, it takes ages until the reader says so.
// Looks at: the page ("page")

import Foundation
import Varve

enum HTTPError: Error {
  case status(Int)
}

final class ArticleServer {
  private let network = QueueScheduler(name: "network")
  private let attempts = MutableProperty<[Int: Int]>([:])

  func article(_ id: Int) -> SignalProducer<String, HTTPError> {
    SignalProducer { [network, attempts] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(10)) {
        let attempt = attempts.modify { attempts in
          attempts[id, default: 0] += 1
          return attempts[id] ?? 0
        }
        if id == 404 { return observer.send(error: .status(404)) }
        if id == 7, attempt < 2 { return observer.send(error: .status(503)) }
        observer.send(value: "Article \(id): the tram is back")
        observer.sendCompleted()
      }
    }
  }
}

final class ReaderModel {
  let link = MutableProperty<Int?>(nil)
  let page: Property<String>

  init(server: ArticleServer, clock: QueueScheduler) {
    page = Property(
      initial: "",
      then: link.signal
        .skipNil()
        .flatMap(.latest) { id in
          server.article(id)
            .retry(upTo: 4, interval: .milliseconds(120), on: clock)  // culprit
            .flatMapError { error in
              switch error {
              case .status(404): SignalProducer(value: "This article was removed")
              case .status: SignalProducer(value: "Try again later")
              }
            }
        }
        .named("page"))
  }
}

let model = ReaderModel(server: ArticleServer(), clock: QueueScheduler(name: "clock"))
for id in [3, 7, 404] {
  let before = Date()
  let link = model.page.signal.take(first: 1)
  let shown = DispatchSemaphore(value: 0)
  link.observeValues { _ in shown.signal() }
  model.link.value = id
  shown.wait()
  print("\(model.page.value) (\(Int(Date().timeIntervalSince(before) * 1_000)) ms)")
}
