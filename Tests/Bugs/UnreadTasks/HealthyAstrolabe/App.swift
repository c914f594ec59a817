// Symptom: None; this works. A star that takes too long is left out, and the hints go by
// themselves.
// Looks at: the sighting of a star ("sight")

import Foundation

@main
struct AstrolabeApp {
  static func main() async throws {
    let model = SightingModel(instrument: Instrument())
    for star in ["Vega", "Deneb", "Algol", "Altair"] {
      let sight = Task(name: "sight") { await model.sight(star) }
      await sight.value
    }
    try await Task.sleep(for: .milliseconds(150))
    print("hint at the end: \(model.hint ?? "none")")
  }
}
