// Symptom: I publish a post, and it stands in the list of my posts twice. If I load the list
// again, it is there once.
// Looks at: posts (the list)

import Foundation
import Varve

struct Post: Sendable {
  let number: Int
  let title: String
}

enum BlogError: Error {
  case titleMissing
}

// Safety: all that changes is used on the queue "blog".
final class BlogServer: @unchecked Sendable {
  private var stored: [Post] = []
  private let queue = QueueScheduler(name: "blog")

  func publish(_ title: String) -> SignalProducer<Post, BlogError> {
    SignalProducer<Post, BlogError> { [self] () -> Result<Post, BlogError> in
      guard !title.isEmpty else { return .failure(.titleMissing) }
      stored.append(Post(number: stored.count + 1, title: title))
      return .success(stored[stored.count - 1])
    }
    .start(on: queue)
  }

  func all() -> SignalProducer<[Post], Never> {
    SignalProducer { [self] in stored }.start(on: queue)
  }
}

final class BlogModel {
  let title = MutableProperty("")
  let posts = MutableProperty<[Post]>([], named: "posts")
  let message = MutableProperty("")
  let publish: Action<String, Post, BlogError>
  private let server: BlogServer

  init(_ server: BlogServer) {
    self.server = server
    publish = Action { server.publish($0) }
    publish.values.observeValues { [posts] post in posts.modify { $0.append(post) } }
    title <~ publish.values.map(value: "")
  }

  func publishPressed() {
    publish.apply(title.value).startWithResult { [posts, message] result in
      switch result {
      case .success(let post):
        message.value = "Published as number \(post.number)"
        posts.modify { $0.append(post) }  // culprit
      case .failure(let error):
        message.value = "Not published: \(error)"
      }
    }
  }

  func reload() { server.all().startWithValues { [posts] in posts.value = $0 } }
}

let model = BlogModel(BlogServer())
for title in ["Rain again", "", "A new roof"] {
  model.title.value = title
  model.publishPressed()
  Thread.sleep(forTimeInterval: 0.08)
  print("\(model.message.value) – \(model.posts.value.map(\.title))")
}
model.reload()
Thread.sleep(forTimeInterval: 0.08)
print("loaded again: \(model.posts.value.map(\.title))")
