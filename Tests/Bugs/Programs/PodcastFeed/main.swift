// Symptom: One of my podcasts never gets new episodes; its line says "updating…" since yesterday,
// and the provider complains about my requests.
// Looks at: the episodes of the podcast ("episodes")

import Foundation
import Varve

enum UpdateError: Error {
  case connection
  case notAFeed(String)
}

struct Document {
  var text: String
}

final class Web {
  private let queue = QueueScheduler(name: "web")
  private(set) var requests = 0

  func get(_ address: String) -> SignalProducer<Document, UpdateError> {
    SignalProducer { [self] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(4)) { [self] in
        requests += 1
        let isMoved = address.contains("oldhost")
        let text = isMoved ? "<html>We have moved</html>" : "feed: One|Two|Three"
        observer.send(value: Document(text: text))
        observer.sendCompleted()
      }
    }
  }
}

func parse(_ document: Document) -> Result<[String], UpdateError> {
  guard document.text.hasPrefix("feed: ") else {
    return .failure(.notAFeed(String(document.text.prefix(20))))
  }
  return .success(document.text.dropFirst(6).split(separator: "|").map(String.init))
}

final class Podcast {
  let episodes = MutableProperty<[String]>([])
  let isUpdating = MutableProperty(false)

  func update(from address: String, through web: Web) {
    episodes
      <~ web.get(address)
      .attemptMap(parse)
      .on(
        starting: { [isUpdating] in isUpdating.value = true },
        completed: { [isUpdating] in isUpdating.value = false }
      )
      .retry()  // culprit
      .flatMapError { _ in SignalProducer<[String], Never>.empty }
      .named("episodes")
  }
}

let web = Web()
let podcasts = ["https://news.example/feed", "https://oldhost.example/feed"].map { address in
  let podcast = Podcast()
  podcast.update(from: address, through: web)
  return podcast
}
Thread.sleep(forTimeInterval: 1)
for podcast in podcasts {
  print("\(podcast.episodes.value.count) episodes, updating: \(podcast.isUpdating.value)")
}
print("\(web.requests) requests")
