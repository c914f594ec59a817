// Symptom: Most threads of the forum open. With some of them the app is gone at once, always with the
// same ones.
// Looks at: posts (the posts of the thread)
import Foundation
import Varve

struct Page {
  let posts: [String]
  let next: Int?
}

final class ForumCache: Sendable {
  private let pages: [Int: Page]

  init(_ pages: [Int: Page]) { self.pages = pages }

  func page(_ number: Int) -> SignalProducer<Page, Never> {
    guard let page = pages[number] else { return .empty }
    return SignalProducer(value: page)
  }
}

final class ThreadModel: Sendable {
  let posts = MutableProperty<[String]>([], named: "posts")
  private let cache: ForumCache

  init(_ cache: ForumCache) { self.cache = cache }

  func open(_ first: Int) {
    posts.value = []
    read(first)
  }

  private func read(_ number: Int) {
    cache.page(number)
      .filter { !$0.posts.isEmpty }
      .startWithValues { [self] page in
        posts.modify { $0 += page.posts }
        if let next = page.next { read(next) }  // culprit
      }
  }
}

// The last page of a thread that is still open names itself as the next.
let cache = ForumCache([
  1: Page(posts: ["Which bike for a tall rider?", "Look at the frame"], next: 2),
  2: Page(posts: ["And at the stem"], next: nil),
  7: Page(posts: ["Show your winter tyres", "Mine have spikes"], next: 8),
  8: Page(posts: ["Still waiting for snow"], next: 8),
])
let model = ThreadModel(cache)
for number in [1, 7] {
  model.open(number)
  print("thread \(number): \(model.posts.value.count) posts")
}
