import Measurement
import VarveWorkloads

/// The reactive workloads, all libraries in turns.
enum ReactiveTable {
  static func run(_ options: Options, into report: inout Report) throws {
    let plans = VarveWorkloads.all.map(\.plan).filter { options.wants($0.part) }
    guard !plans.isEmpty else { return }
    let contests = plans.map { plan in
      Library.allCases.compactMap { library in library.workload(plan).map { (library, $0) } }
    }
    let medians = interleave(contests, rounds: options.rounds)
    let counts = try options.countsInstructions ? InstructionCount.all(of: plans) : [:]
    let counted = counts.isEmpty ? [] : ["instructions"]
    Table.heading(
      "CPU ns per delivery", ["Varve", "OpenCombine", "ratio", "AsyncStream"] + counted)
    for (plan, figures) in zip(plans, medians) {
      let row = Report.Reactive(
        varveNs: figures[.varve] ?? 0, opencombineNs: figures[.openCombine],
        asyncStreamNs: figures[.asyncStream], instructions: counts[plan.id])
      report.reactive[plan.id] = row
      Table.row(
        "\(plan.id)  \(plan.title)",
        [
          Table.number(row.varveNs), Table.number(row.opencombineNs),
          row.ratio.map { Table.number($0) + "×" } ?? "–", Table.number(row.asyncStreamNs),
        ] + (counts.isEmpty ? [] : [row.instructions.map { Table.number($0) } ?? "–"]))
    }
  }

  /// Runs the contenders in turns, so that a noisy moment falls on all of them, and returns each
  /// one's median. The first round warms up and does not count.
  private static func interleave(
    _ contests: [[(Library, Workload)]], rounds: Int
  ) -> [[Library: Double]] {
    var samples = contests.map { _ in [Library: [Double]]() }
    for round in 0...rounds {
      for (index, contest) in contests.enumerated() {
        let results = contest.map { ($0.0, $0.1.round()) }
        precondition(
          Set(results.map(\.1.sum)).count == 1,
          "workload \(contest[0].1.plan.id): the libraries delivered different values")
        guard round > 0 else { continue }
        for (library, result) in results {
          samples[index][library, default: []].append(result.nanoseconds)
        }
      }
    }
    return samples.map { $0.mapValues(\.median) }
  }
}
