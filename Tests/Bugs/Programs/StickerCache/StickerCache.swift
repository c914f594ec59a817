// Symptom: I add the first sticker to my collection, and the app freezes.
// Looks at: added (the stickers that are added)
import Foundation
import Varve

final class StickerCache {
  let added: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private let lock = NSLock()
  private var stickers: [String: Int] = [:]

  init() { (added, input) = Signal.pipe(named: "added") }

  /// Keeps the sticker and tells about it, if it is new.
  func add(_ name: String, bytes: Int) {
    lock.lock()
    defer { lock.unlock() }
    guard stickers[name] == nil else { return }
    stickers[name] = bytes
    input.send(value: name)  // culprit
  }

  var bytes: Int {
    lock.lock()
    defer { lock.unlock() }
    return stickers.values.reduce(0, +)
  }
}

final class CollectionScreen {
  let title = MutableProperty("No stickers yet")
  let isFull: Property<Bool>
  private let total = MutableProperty(0)

  init(_ cache: StickerCache) {
    isFull = total.map { $0 > 2_000_000 }
    total <~ cache.added.map { _ in cache.bytes }
    title
      <~ cache.added
      .scan(0) { count, _ in count + 1 }
      .map { $0 == 1 ? "1 sticker" : "\($0) stickers" }
  }
}

let cache = StickerCache()
let screen = CollectionScreen(cache)
screen.title.signal.observeValues { print($0) }
print(screen.title.value)
for (index, name) in ["cat", "rocket", "pancake"].enumerated() {
  cache.add(name, bytes: 120_000 * (index + 1))
}
print("\(screen.title.value), full: \(screen.isFull.value)")
