import Measurement
import OpenCombineWorkloads
import VarveWorkloads

/// The reactive workloads, both libraries in turns.
enum ReactiveTable {
  static func run(_ options: Options, into report: inout Report) {
    let pairs = VarveWorkloads.all.filter { options.wants($0.plan.id) }.compactMap { varve in
      OpenCombineWorkloads.all.first { $0.plan.id == varve.plan.id }.map { (varve, $0) }
    }
    guard !pairs.isEmpty else { return }
    let rounds = interleave(pairs.map { [$0.0, $0.1] }, rounds: options.rounds)
    Table.heading("CPU ns per delivery", ["Varve", "OpenCombine", "ratio"])
    for ((varve, _), medians) in zip(pairs, rounds) {
      let row = Report.Reactive(varveNs: medians[0], opencombineNs: medians[1])
      report.reactive[varve.plan.id] = row
      Table.row(
        "\(varve.plan.id)  \(varve.plan.title)",
        [
          Table.number(row.varveNs), Table.number(row.opencombineNs), Table.number(row.ratio) + "×",
        ])
    }
  }

  /// Runs the contenders in turns, so that a noisy moment falls on all of them, and returns each
  /// one's median. The first round warms up and does not count.
  private static func interleave(_ contests: [[Workload]], rounds: Int) -> [[Double]] {
    var samples = contests.map { contest in contest.map { _ in [Double]() } }
    for round in 0...rounds {
      for (index, contest) in contests.enumerated() {
        let results = contest.map { $0.round() }
        precondition(
          Set(results.map(\.sum)).count == 1,
          "workload \(contest[0].plan.id): the libraries delivered different values")
        guard round > 0 else { continue }
        for (contender, result) in results.enumerated() {
          samples[index][contender].append(result.nanoseconds)
        }
      }
    }
    return samples.map { contest in contest.map(\.median) }
  }
}
