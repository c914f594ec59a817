import Foundation
import Varve

struct Sticker: Equatable, Sendable {
  let name: String
  let emoji: String
}

enum CatalogError: Error {
  case badRequest(String)
}

protocol StickerCatalog: Sendable {
  func stickers(matching text: String) -> SignalProducer<[Sticker], CatalogError>
}

struct RemoteCatalog: StickerCatalog {
  private let network = QueueScheduler(name: "network")
  private let all = [
    Sticker(name: "cat", emoji: "🐈"), Sticker(name: "catfish", emoji: "🐟"),
    Sticker(name: "dog", emoji: "🐕"), Sticker(name: "cake", emoji: "🍰"),
    Sticker(name: "cow", emoji: "🐄"),
  ]

  func stickers(matching text: String) -> SignalProducer<[Sticker], CatalogError> {
    SignalProducer(value: text)
      .delay(.milliseconds(20), on: network)
      .attemptMap { [all] text in
        guard text.allSatisfy(\.isLetter) else { return .failure(.badRequest(text)) }
        return .success(all.filter { $0.name.hasPrefix(text) })
      }
  }
}
