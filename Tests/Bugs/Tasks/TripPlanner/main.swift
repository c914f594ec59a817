// Symptom: The plan for a tour of twelve huts takes a second to come up, and longer for longer tours. The
// service answers each question in less than a tenth of that.
// Looks at: the plan of the tour ("plan")

import Foundation

struct Hut: Sendable {
  let name: String
  let freeBeds: Int
}

struct HutService: Sendable {
  func hut(_ name: String, on day: Int) async throws -> Hut {
    try await Task.sleep(for: .milliseconds(80))
    return Hut(name: name, freeBeds: (name.utf8.count * 7 + day * 3) % 12)
  }
}

struct TripPlanner: Sendable {
  let service = HutService()

  func plan(_ names: [String]) async throws -> [String] {
    var huts: [Hut] = []
    for (day, name) in names.enumerated() {
      huts.append(try await service.hut(name, on: day))  // culprit
    }
    return huts.map { "\($0.name): \($0.freeBeds == 0 ? "full" : "\($0.freeBeds) beds")" }
  }
}

let tour = [
  "Falkenhütte", "Lamsenjoch", "Karwendelhaus", "Hallerangerhaus", "Pfeishütte", "Solsteinhaus",
  "Meilerhütte", "Reintalangerhütte", "Coburger Hütte", "Höllentalhütte", "Knorrhütte", "Anhalter",
]
let planner = TripPlanner()
for huts in [3, 6, 12] {
  let begin = ContinuousClock.now
  let planning = Task(name: "plan") { try await planner.plan(Array(tour.prefix(huts))) }
  let lines = try await planning.value
  let time = ContinuousClock.now - begin
  print("\(lines.count) huts after \(time.formatted(.units(allowed: [.milliseconds])))")
}
