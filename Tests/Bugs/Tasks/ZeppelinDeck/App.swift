// Symptom: The deck screen shows the altitude, but the list of passengers stays empty. It never
// even says that it loads them.
// Looks at: the start of the screen ("deck")

import Foundation

@main
struct DeckApp {
  static func main() async throws {
    let model = DeckModel(instruments: Instruments(), passengers: PassengerRepository())
    Task(name: "deck") { await model.appear() }
    for _ in 1...4 {
      try await Task.sleep(for: .milliseconds(150))
      print(model.summary)
    }
  }
}
