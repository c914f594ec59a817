// Symptom: None; this works.
// Looks at: the polling of the washing machines ("poll")

import Foundation

struct NoAnswer: Error {}

/// A washing machine in the cellar; its radio fails now and then.
actor Machine {
  let number: Int
  private let minutes: Int
  private var asked = 0

  init(number: Int, minutes: Int) {
    self.number = number
    self.minutes = minutes
  }

  func minutesLeft() async throws -> Int {
    asked += 1
    try? await Task.sleep(for: .milliseconds(3))
    if asked.isMultiple(of: 3) { throw NoAnswer() }
    return max(0, minutes - asked)
  }

  var questions: Int { asked }
}

@MainActor
final class CellarPage {
  private let machines: [Machine]
  private var polling: Task<Void, Never>?
  private var left: [Int: Int] = [:]
  private var failures = 0

  init(machines: [Machine]) { self.machines = machines }

  func appear() {
    polling?.cancel()
    polling = Task(name: "poll") { [weak self] in
      while !Task.isCancelled {
        await self?.ask()
        try? await Task.sleep(for: .milliseconds(30))
      }
    }
  }

  func disappear() {
    polling?.cancel()
    polling = nil
  }

  /// A machine that does not answer keeps what it said before.
  private func ask() async {
    for machine in machines {
      if Task.isCancelled { return }
      do {
        left[machine.number] = try await machine.minutesLeft()
      } catch {
        failures += 1
      }
    }
  }

  var text: String {
    let parts = left.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value) min" }
    return parts.joined(separator: ", ") + " (no answer: \(failures))"
  }
}

let machines = [Machine(number: 1, minutes: 40), Machine(number: 2, minutes: 12)]
let page = CellarPage(machines: machines)
for visit in 1...2 {
  page.appear()
  try await Task.sleep(for: .milliseconds(170))
  page.disappear()
  print("visit \(visit): \(page.text)")
  try await Task.sleep(for: .milliseconds(60))
}
for machine in machines { print("machine asked: \(await machine.questions > 6)") }
