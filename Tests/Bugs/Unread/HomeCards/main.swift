// Symptom: The start page fills up card by card. The last one is there after more than half a
// second, and the server answers each of them in no time.
// Looks at: the cards of the start page ("cards")

import Foundation
import Varve

final class HomeViewModel {
  let cards: Property<[CardKind: Card]>

  init(loader: any CardLoading, kinds: [CardKind]) {
    let loaded = SignalProducer<CardKind, Never>(kinds)
      .flatMap(.concat) { loader.card($0) }  // culprit
      .named("cards")
      .scan(into: [CardKind: Card]()) { page, card in page[card.kind] = card }
    cards = Property(initial: [:], then: loaded)
  }
}

/// Draws every card at its own place on the page.
final class HomePage: @unchecked Sendable {
  private let opened = Date()
  private let kinds = CardKind.allCases
  private let viewModel: HomeViewModel

  init(loader: any CardLoading) {
    viewModel = HomeViewModel(loader: loader, kinds: kinds)
  }

  func show() {
    viewModel.cards.producer.startWithValues { [self] page in
      let row = kinds.map { page[$0] == nil ? "·" : "■" }.joined()
      print(row, "after \(Int(Date().timeIntervalSince(opened) * 1_000)) ms")
    }
  }
}

let page = HomePage(loader: CardServer())
page.show()
Thread.sleep(forTimeInterval: 0.9)
