// Symptom: I hold my card to the terminal, it says "Reading the card", and that is all.
// Looks at: the payment ("payment")

import Foundation

struct Card: Sendable {
  var number: String
}

/// The reader of the terminal; it calls back on its own queue.
final class CardReader: Sendable {
  private let queue = DispatchQueue(label: "card reader")
  private let onCard: @Sendable (Card) -> Void

  init(onCard: @escaping @Sendable (Card) -> Void) {
    self.onCard = onCard
  }

  func start() {
    queue.asyncAfter(deadline: .now() + 0.05) { [weak self] in
      self?.found(Card(number: "4970 1012"))
    }
  }

  private func found(_ card: Card) {
    onCard(card)
  }
}

struct Terminal: Sendable {
  func card() async -> Card {
    await withCheckedContinuation { continuation in
      let reader = CardReader { continuation.resume(returning: $0) }  // culprit
      reader.start()
    }
  }
}

struct Bank: Sendable {
  func debit(_ cents: Int, from card: Card) async -> String {
    try? await Task.sleep(for: .milliseconds(20))
    return "\(cents) paid with the card \(card.number.suffix(4))"
  }
}

let payment = Task(name: "payment") {
  print("Reading the card …")
  let card = await Terminal().card()
  print("Asking the bank …")
  return await Bank().debit(4_250, from: card)
}
print(await payment.value)
