import Foundation

struct Words: Sendable {
  var dose: String
  var receipt: String
}

enum Phrasebook {
  private static let all = [
    "en": Words(dose: "three times a day", receipt: "Receipt"),
    "de": Words(dose: "dreimal täglich", receipt: "Beleg"),
    "fr": Words(dose: "trois fois par jour", receipt: "Reçu"),
  ]

  static func words(for language: String) -> Words {
    all[language] ?? all["en"]!
  }
}

/// The fonts are not thread-safe: everything that touches them happens on one queue.
final class Typesetter: Sendable {
  private let queue = DispatchQueue(label: "typesetter")

  func label(for medicine: String) async -> String {
    await withCheckedContinuation { done in
      queue.asyncAfter(deadline: .now() + 0.04) {
        let words = Phrasebook.words(for: RequestContext.language)  // culprit
        done.resume(returning: self.typeset([medicine, words.dose]))
      }
    }
  }

  private func typeset(_ lines: [String]) -> String {
    dispatchPrecondition(condition: .onQueue(queue))
    return lines.joined(separator: " | ")
  }
}
