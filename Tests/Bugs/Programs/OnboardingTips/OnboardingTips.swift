// Symptom: The tour shows its first bubble, “Swipe to delete”. I tap “Next” and “Next” again, and no
// other bubble ever comes.
// Looks at: bubble (the text in the bubble)
import Foundation
import Varve

struct Tip: Equatable {
  let title: String
  let version: Int
}

final class TipStore {
  private let seen = MutableProperty<Set<String>>([])
  private let all = [
    Tip(title: "Swipe to delete", version: 3),
    Tip(title: "Hold to move", version: 3),
    Tip(title: "Pinch for an overview", version: 2),
  ]

  /// The next tip that this user has not seen.
  var next: SignalProducer<Tip, Never> {
    let all = all
    return seen.producer
      .map { seen in all.first { !seen.contains($0.title) } }
      .skipNil()
      .skipRepeats()
  }

  func dismiss(_ tip: Tip) {
    seen.modify { _ = $0.insert(tip.title) }
  }
}

final class Tour {
  let bubble = MutableProperty<Tip?>(nil)
  private let store: TipStore

  init(_ store: TipStore) {
    self.store = store
    bubble
      <~ store.next
      .filter { $0.version >= 2 }
      .take(first: 1)  // culprit
      .map { $0 as Tip? }
  }

  func nextTapped() {
    guard let tip = bubble.value else { return }
    store.dismiss(tip)
  }
}

let tour = Tour(TipStore())
tour.bubble.producer.skipNil().named("bubble").startWithValues { print("💬 \($0.title)") }
tour.nextTapped()
tour.nextTapped()
