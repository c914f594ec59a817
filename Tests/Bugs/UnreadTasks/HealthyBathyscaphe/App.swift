// Symptom: None; this works. The depth skips values while the display is busy, as it should.
// Looks at: the dive screen ("dive")

import Foundation

@main
struct BathyscapheApp {
  static func main() async throws {
    let model = DiveModel(sonde: DepthSonde(), crew: CrewRepository())
    for visit in 1...2 {
      print("-- visit \(visit) --")
      let screen = Task(name: "dive") { await model.appear() }
      try await Task.sleep(for: .milliseconds(300))
      print(model.summary)
      screen.cancel()
      await screen.value
    }
  }
}
