// Symptom: The comments load when I open a post. Since I opened one that had been deleted, no post
// shows any comments any more, until I restart the app.
// Looks at: comments (the list below the post)
import Foundation
import Varve

enum FeedError: Error {
  case deleted
  case offline
}

final class FeedServer: Sendable {
  private let network = QueueScheduler(name: "feed")
  private let comments = [1: ["First!", "Lovely"], 3: ["Where is this?"], 4: ["Same here"]]

  func comments(on post: Int) -> SignalProducer<[String], FeedError> {
    SignalProducer { [network, comments] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(20)) {
        if let found = comments[post] {
          observer.send(value: found)
          observer.sendCompleted()
        } else {
          observer.send(error: .deleted)
        }
      }
    }
  }
}

final class PostScreen {
  let post = MutableProperty<Int?>(nil)
  let comments = MutableProperty<[String]>([])

  init(_ server: FeedServer, on interface: any Scheduler) {
    comments
      <~ post.producer.skipNil()
      .skipRepeats()
      .flatMap(.latest) { server.comments(on: $0) }
      .flatMapError { _ in SignalProducer<[String], Never>(value: []) }  // culprit
      .observe(on: interface)
  }
}

let screen = PostScreen(FeedServer(), on: QueueScheduler(name: "interface"))
screen.comments.signal.named("comments").observeValues { print($0) }

for post in [1, 2, 3, 4] {
  print("open post \(post)")
  screen.post.value = post
  Thread.sleep(forTimeInterval: 0.1)
}
