// Symptom: Covers that I have seen before make the list flicker, and the checker says that an image
// view was changed from a background thread.
// Looks at: the covers that are put into the list ("cover")

import Foundation
import Varve

let ui = QueueScheduler(name: "ui")
let onUI = DispatchSpecificKey<Bool>()
ui.queue.setSpecific(key: onUI, value: true)

struct Cover {
  var album: String
  var pixels: Int
}

final class CoverStore {
  private let network = QueueScheduler(name: "network")
  private var cached: [String: Cover] = [:]
  private let lock = NSLock()

  func cover(of album: String) -> SignalProducer<Cover, Never> {
    lock.lock()
    defer { lock.unlock() }
    if let cover = cached[album] { return SignalProducer(value: cover) }  // culprit
    return SignalProducer(value: Cover(album: album, pixels: 600))
      .delay(.milliseconds(4), on: network)
      .on(value: { [self] in keep($0) })
      .observe(on: ui)
  }

  private func keep(_ cover: Cover) {
    lock.lock()
    cached[cover.album] = cover
    lock.unlock()
  }
}

final class AlbumList {
  private(set) var shown = 0
  private(set) var violations = 0
  let scroller = QueueScheduler(name: "prefetch")

  func prefetch(_ albums: [String], from store: CoverStore) -> any Disposable {
    SignalProducer.interval(albums, interval: .milliseconds(12), on: scroller)
      .flatMap(.concat) { store.cover(of: $0) }
      .named("cover")
      .startWithValues { [unowned self] in show($0) }
  }

  private func show(_ cover: Cover) {
    if DispatchQueue.getSpecific(key: onUI) == nil { violations += 1 }
    shown += 1
  }
}

let list = AlbumList()
var albums = (0..<60).map { "album \($0)" }
albums.insert("album 3", at: 20)
albums.insert("album 17", at: 40)
let store = CoverStore()
let prefetching = list.prefetch(albums, from: store)
Thread.sleep(forTimeInterval: 1.1)
print("\(list.shown) covers shown, \(list.violations) of them from another thread")
