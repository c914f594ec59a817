// Symptom: The report of a walk has fewer steps than the patient made. It is always the last ones
// that are missing.
// Looks at: report (the steps in the report)
import Foundation
import Varve

struct Step: Sendable {
  enum Foot: Sendable { case left, right }
  let foot: Foot
  let newton: Int
}

final class Walkway: Sendable {
  let steps: Signal<Step, Never>
  private let plates: Signal<Step, Never>.Observer

  init() { (steps, plates) = Signal.pipe() }

  func touch(_ foot: Step.Foot, _ newton: Int) {
    plates.send(value: Step(foot: foot, newton: newton))
  }

  func leave() { plates.sendCompleted() }
}

struct Report: Sendable {
  var left = 0
  var right = 0
  var strongest = 0
}

final class GaitRecorder: Sendable {
  let report = MutableProperty(Report())
  private let clock = QueueScheduler(name: "clock")

  init(_ walkway: Walkway) {
    report
      <~ walkway.steps
      .filter { $0.newton > 50 }
      .collect(every: .milliseconds(100), on: clock, skipEmpty: true)  // culprit
      .scan(into: Report()) { report, steps in
        report.left += steps.filter { $0.foot == .left }.count
        report.right += steps.filter { $0.foot == .right }.count
        report.strongest = max(report.strongest, steps.map(\.newton).max() ?? 0)
      }
      .named("report")
  }
}

let walkway = Walkway()
let recorder = GaitRecorder(walkway)
recorder.report.signal.observeValues { print("left \($0.left), right \($0.right)") }
for stretch in 1...3 {
  for step in 1...6 {
    walkway.touch(step.isMultiple(of: 2) ? .left : .right, 600 + 20 * stretch + step)
    walkway.touch(.left, 12)
  }
  if stretch < 3 { Thread.sleep(forTimeInterval: 0.15) }
}
walkway.leave()
Thread.sleep(forTimeInterval: 0.2)
let report = recorder.report.value
print("\(report.left + report.right) of 18 steps, strongest \(report.strongest)")
