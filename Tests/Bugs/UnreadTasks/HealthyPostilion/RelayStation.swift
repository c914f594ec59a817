import Foundation

actor RelayStation {
  private let gate: CoachGate
  private let stable: Stable
  private let statistics: Statistics
  private(set) var served = 0

  init(gate: CoachGate, stable: Stable, statistics: Statistics) {
    self.gate = gate
    self.stable = stable
    self.statistics = statistics
  }

  func run() async {
    await withDiscardingTaskGroup { group in
      for await coach in gate.coaches {
        group.addTask { await self.serve(coach) }
      }
    }
  }

  private func serve(_ coach: Coach) async {
    let harness = await stable.freshHarness(for: coach)
    await harness.put(on: coach)
    served += 1
    // No coach waits for the statistics.
    Task(priority: .utility) { await statistics.report(coach) }
  }
}

actor Statistics {
  private(set) var reported = 0

  func report(_ coach: Coach) async {
    try? await Task.sleep(for: .milliseconds(30))
    reported += 1
  }
}
