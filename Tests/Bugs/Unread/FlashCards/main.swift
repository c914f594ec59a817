// Symptom: The app dies when I switch from the large deck to the small one while I am near the end.
// Looks at: the card on the screen ("card")

import Foundation
import Varve

struct Card {
  var question: String
  var answer: String
}

final class DeckModel {
  let cards: MutableProperty<[Card]>
  let index = MutableProperty(0)
  let card: Property<Card>
  let progress: Property<String>

  init(deck: [Card]) {
    cards = MutableProperty(deck)
    card = Property.combineLatest(cards, index)
      .map { cards, index in cards[index] }  // culprit
    progress = cards.map { "of \($0.count)" }
  }

  func next() { index.modify { $0 = ($0 + 1) % cards.value.count } }

  func open(_ deck: [Card]) {
    cards.value = deck
    index.value = 0
  }
}

func deck(_ pairs: [String: String]) -> [Card] {
  pairs.sorted { $0.key < $1.key }.map { Card(question: $0.key, answer: $0.value) }
}

let capitals = deck([
  "Chile": "Santiago", "Ghana": "Accra", "Japan": "Tokyo", "Kenya": "Nairobi", "Peru": "Lima",
])
let rivers = deck(["London": "Thames", "Cairo": "Nile"])

let model = DeckModel(deck: capitals)
model.card.signal.named("card").observeValues { print("\($0.question)?") }
for _ in 1...3 { model.next() }
print(model.card.value.answer, model.progress.value)
model.open(rivers)
model.next()
print(model.card.value.answer, model.progress.value)
