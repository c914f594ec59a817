// Symptom: Translating the menu of a restaurant takes more than half a second, a little longer for
// every dish on it. The translation of one dish takes 50 ms, and the server can do many at once.
// Looks at: the translation of the menu

import Foundation

struct Translator: Sendable {
  private let words = ["Suppe": "soup", "Brot": "bread", "Fisch": "fish", "Kuchen": "cake"]

  func english(_ dish: String) async throws -> String {
    try await Task.sleep(for: .milliseconds(50))
    return dish.split(separator: "-").map { words[String($0)] ?? String($0) }
      .joined(separator: " ")
  }
}

struct Menu: Sendable {
  var dishes: [String]
}

struct MenuReader: Sendable {
  let translator = Translator()

  func translate(_ menu: Menu) async throws -> [String] {
    var translated: [String] = []
    for dish in menu.dishes {
      let work = Task { try await translator.english(dish) }
      translated.append(try await work.value)  // culprit
    }
    return translated
  }
}

let menu = Menu(dishes: [
  "Fisch-Suppe", "Brot-Suppe", "Brot", "Fisch", "Fisch-Brot", "Kuchen", "Brot-Kuchen",
  "Suppe", "Kuchen-Brot", "Fisch-Kuchen", "Suppe-Brot", "Suppe-Fisch",
])
let clock = ContinuousClock()
let start = clock.now
let dishes = try await MenuReader().translate(menu)
print(dishes.joined(separator: ", "))
print("\(dishes.count) dishes in \(start.duration(to: clock.now))")
