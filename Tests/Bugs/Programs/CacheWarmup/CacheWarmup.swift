// Symptom: The app ought to load the covers in advance while it is idle. When I open the shelf, every
// cover is a grey box for a second, as if nothing had been loaded.
// Looks at: cached (the number of covers in the cache)
import Foundation
import Varve

final class CoverCache: Sendable {
  let cached = MutableProperty<[String: Data]>([:])

  func store(_ data: Data, for book: String) {
    cached.modify { $0[book] = data }
  }
}

final class CoverServer: Sendable {
  private let network = QueueScheduler(name: "covers")

  func cover(of book: String) -> SignalProducer<Data, Never> {
    SignalProducer(value: Data(book.utf8)).delay(.milliseconds(10), on: network)
  }
}

final class Shelf {
  let books = ["Middlemarch", "Walden", "Effi Briest", "Emma"]
  private let cache: CoverCache
  private let server: CoverServer

  init(_ cache: CoverCache, _ server: CoverServer) {
    self.cache = cache
    self.server = server
  }

  func warmUp() {
    let missing = books.filter { cache.cached.value[$0] == nil }
    let loading = missing.map { book in
      server.cover(of: book)
        .on(value: { [cache] in cache.store($0, for: book) })  // culprit
    }
    print("\(loading.count) covers to load")
  }

  func open() {
    for book in books {
      print("\(book): \(cache.cached.value[book] == nil ? "grey" : "cover")")
    }
  }
}

let cache = CoverCache()
let shelf = Shelf(cache, CoverServer())
cache.cached.producer.map { $0.count }.named("cached").startWithValues { print("cache: \($0)") }
shelf.warmUp()
Thread.sleep(forTimeInterval: 0.3)
shelf.open()
