// Symptom: None. A thread is read page by page to its end; a page that cannot be had is shown as such.
// Looks at: posts (the posts of the thread)
import Foundation
import Varve

enum ForumError: Error {
  case locked
}

struct Page {
  let posts: [String]
  let next: Int?
}

final class Forum: Sendable {
  private let network = QueueScheduler(name: "forum")
  private let last = 5

  func page(_ number: Int) -> SignalProducer<Page, ForumError> {
    guard number != 13 else { return SignalProducer(error: .locked) }
    let posts = ["post \(2 * number - 1)", "post \(2 * number)"]
    return SignalProducer(value: Page(posts: posts, next: number < last ? number + 1 : nil))
      .start(on: network)
  }
}

final class ThreadModel: Sendable {
  let posts = MutableProperty<[String]>([])
  private let forum: Forum
  /// What the menu offers; most are never chosen.
  private let orders: [String: SignalProducer<Page, ForumError>]

  init(_ forum: Forum) {
    self.forum = forum
    orders = [
      "oldest": Self.pages(of: forum, from: 1), "newest": Self.pages(of: forum, from: 4),
      "archive": Self.pages(of: forum, from: 13),
    ]
  }

  func open(_ order: String) -> SignalProducer<[String], Never> {
    guard let pages = orders[order] else { return .empty }
    return
      pages
      .scan([]) { $0 + $1.posts }
      .flatMapError { _ in SignalProducer(value: ["(this thread is locked)"]) }
      .on(value: { [posts] in posts.value = $0 })
  }

  private static func pages(
    of forum: Forum, from number: Int
  ) -> SignalProducer<Page, ForumError> {
    forum.page(number).flatMap(.concat) { page -> SignalProducer<Page, ForumError> in
      guard let next = page.next else { return SignalProducer(value: page) }
      return SignalProducer(value: page).concat(pages(of: forum, from: next))
    }
  }
}

let model = ThreadModel(Forum())
model.posts.signal.named("posts").observeValues { print("\($0.count) posts") }
let reading = SerialDisposable()
for order in ["oldest", "archive", "newest"] {
  model.posts.value = []
  reading.inner = model.open(order).start()
  Thread.sleep(forTimeInterval: 0.1)
  print("\(order): \(model.posts.value)")
}
