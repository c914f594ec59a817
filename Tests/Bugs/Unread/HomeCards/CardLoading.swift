import Foundation
import Varve

enum CardKind: String, CaseIterable, Sendable {
  case greeting, weather, calendar, news, orders, friends, offers, tips
}

struct Card: Sendable {
  let kind: CardKind
  let text: String
}

protocol CardLoading: Sendable {
  func card(_ kind: CardKind) -> SignalProducer<Card, Never>
}

struct CardServer: CardLoading {
  private let network = QueueScheduler(name: "network")

  func card(_ kind: CardKind) -> SignalProducer<Card, Never> {
    SignalProducer(value: Card(kind: kind, text: kind.rawValue.capitalized))
      .delay(.milliseconds(80), on: network)
  }
}
