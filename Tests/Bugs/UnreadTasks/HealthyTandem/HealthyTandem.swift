// Symptom: None; this works.
// Looks at: the map ("route")

import Foundation

struct Planner: Sendable {
  func route(to place: String) async throws -> Int {
    try await Task.sleep(for: .milliseconds(30))
    return place.count * 3
  }
}

/// Plans when the pin rests; a plan for an earlier place is given up.
@MainActor
final class TandemMap {
  private(set) var kilometres: [String: Int] = [:]
  private var planning: Task<Void, Never>?
  private let planner = Planner()

  func pinMoved(to place: String) {
    planning?.cancel()
    planning = Task(name: "route") { [planner] in
      do {
        try await Task.sleep(for: .milliseconds(25))
        kilometres[place] = try await planner.route(to: place)
      } catch is CancellationError {
        return
      } catch {
        print("no way to \(place)")
      }
    }
  }

  func settle() async {
    await planning?.value
  }
}

@MainActor func run() async {
  let map = TandemMap()
  for place in ["Arnhem", "Apeldoorn", "Zwolle", "Kampen"] {
    map.pinMoved(to: place)
    try? await Task.sleep(for: .milliseconds(15))
  }
  await map.settle()
  map.pinMoved(to: "Urk")
  await map.settle()
  print(map.kilometres.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value) km" })
}
await run()
