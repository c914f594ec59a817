import Foundation

@MainActor
final class DiveModel {
  private let sonde: DepthSonde
  private let repository: CrewRepository
  private var depths: [Int] = []
  private var crew: [String] = []

  init(sonde: DepthSonde, crew: CrewRepository) {
    self.sonde = sonde
    repository = crew
  }

  /// Runs as long as the screen is there.
  func appear() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.followDepth() }
      group.addTask { await self.loadCrew() }
    }
  }

  private func followDepth() async {
    for await depth in sonde.depths() {
      depths.append(depth)
      await redraw()
    }
  }

  private func loadCrew() async {
    do {
      crew = try await repository.members()
    } catch {
      print("could not load the crew: \(error)")
    }
  }

  /// The gauge takes its time; what it misses meanwhile is old by then.
  private func redraw() async {
    try? await Task.sleep(for: .milliseconds(40))
  }

  var summary: String {
    let goesDown = zip(depths, depths.dropFirst()).allSatisfy { $0 < $1 }
    return "crew: \(crew.joined(separator: ", ")); \(goesDown ? "going down" : "mixed up"), "
      + (depths.count > 3 ? "the gauge is alive" : "the gauge is stuck")
  }
}
