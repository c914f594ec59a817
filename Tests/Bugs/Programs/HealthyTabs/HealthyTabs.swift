// Symptom: None. The badge of the tab counts what comes in, however often the tabs are changed.
// Looks at: badge (the number on the tab)
import Foundation
import Varve

struct Mention {
  let author: String
  let isQuiet: Bool
}

final class MentionCentre {
  let mentions: Signal<Mention, Never>
  private let input: Signal<Mention, Never>.Observer

  init() { (mentions, input) = Signal.pipe(named: "mentions") }

  func receive(_ author: String, isQuiet: Bool = false) {
    input.send(value: Mention(author: author, isQuiet: isQuiet))
  }
}

final class TabBar {
  let badge = MutableProperty(0)
  private let observations = CompositeDisposable()

  init(_ centre: MentionCentre) {
    observations += centre.mentions
      .filter { !$0.isQuiet }
      .observeValues { [badge] _ in badge.modify { $0 += 1 } }
  }

  deinit { observations.dispose() }
}

final class MentionsTab {
  private(set) var authors: [String] = []
  private let centre: MentionCentre
  private let bar: TabBar
  private let visit = SerialDisposable()

  init(_ centre: MentionCentre, bar: TabBar) {
    self.centre = centre
    self.bar = bar
  }

  func appear() {
    let observations = CompositeDisposable()
    observations += centre.mentions.observeValues { [weak self] in
      self?.authors.append($0.author)
    }
    observations += bar.badge.producer.filter { $0 > 0 }
      .startWithValues { [weak bar] _ in bar?.badge.value = 0 }
    visit.inner = observations
  }

  func disappear() { visit.inner = nil }

  deinit { visit.dispose() }
}

let centre = MentionCentre()
var bar: TabBar? = TabBar(centre)
bar?.badge.signal.named("badge").observeValues { print("badge: \($0)") }
for day in 1...6 {
  let tab = bar.map { MentionsTab(centre, bar: $0) }
  centre.receive("Ida")
  centre.receive("Tom", isQuiet: true)
  tab?.appear()
  if day.isMultiple(of: 2) { tab?.appear() }
  centre.receive("Zoe")
  tab?.disappear()
  tab?.disappear()
  if day == 6 { bar = nil }
  Thread.sleep(forTimeInterval: 0.02)
  print("day \(day): \(tab?.authors ?? [])")
}
centre.receive("Ida")
print("good night")
