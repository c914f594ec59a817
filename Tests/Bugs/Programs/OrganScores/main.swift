// Symptom: While the pages of a score come in, the page does not follow my finger: it stands still
// and then jumps.
// Looks at: the places to which the page is scrolled ("scrolled")

import Foundation
import Varve

struct Notes: Sendable {
  let page: Int
  let symbols: [UInt32]
}

struct Engraving: Sendable {
  let page: Int
  let ink: UInt32
}

/// Sets a page: every symbol has to find its place among the others.
struct Engraver: Sendable {
  func engrave(_ notes: Notes) -> Engraving {
    let end = Date().addingTimeInterval(0.07)
    var ink: UInt32 = 7
    while Date() < end {
      for symbol in notes.symbols { ink = ink &* 31 &+ symbol }
    }
    return Engraving(page: notes.page, ink: ink)
  }
}

final class ScoreLibrary {
  private let disk = QueueScheduler(name: "disk")

  func pages(_ count: Int) -> SignalProducer<Notes, Never> {
    SignalProducer.interval(0..<count, interval: .milliseconds(90), on: disk)
      .map { page in Notes(page: page, symbols: (0..<200).map { UInt32($0 * page) }) }
  }
}

final class ScoreView {
  let offset = MutableProperty(0)
  let pages = MutableProperty<[Engraving]>([])
  private let ui: QueueScheduler

  init(on ui: QueueScheduler) { self.ui = ui }

  func open(_ score: SignalProducer<Notes, Never>) {
    let engraver = Engraver()
    pages
      <~ score
      .observe(on: ui)
      .map { engraver.engrave($0) }  // culprit
      .scan([]) { $0 + [$1] }
  }

  func follow(_ finger: SignalProducer<Int, Never>) {
    offset <~ finger.observe(on: ui).named("scrolled")
  }
}

let touches = QueueScheduler(name: "touches")
let view = ScoreView(on: QueueScheduler(name: "ui"))
view.open(ScoreLibrary().pages(6))
view.follow(.interval(Array(0..<45), interval: .milliseconds(16), on: touches))

let moves = MutableProperty([Date()])
view.offset.signal.observeValues { _ in moves.modify { $0.append(Date()) } }
Thread.sleep(forTimeInterval: 0.85)
print("\(view.pages.value.count) pages, scrolled to \(view.offset.value)")
let times = moves.value
let longest = zip(times, times.dropFirst()).map { $1.timeIntervalSince($0) }.max() ?? 0
print("longest time without a move: \(Int(longest * 1_000)) ms")
