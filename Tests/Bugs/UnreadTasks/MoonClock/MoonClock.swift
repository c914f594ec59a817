// Symptom: I close the page with the moon, and from then on the battery is empty within an hour.
// Looks at: the page's clock ("moon")

import Foundation

struct MoonPhase: Sendable {
  let days: Double
  var isWaxing: Bool { days < 14.77 }

  init(at date: Date) {
    days = (date.timeIntervalSince1970 / 86_400).truncatingRemainder(dividingBy: 29.53)
  }
}

@MainActor
final class MoonPage {
  private(set) var phase = MoonPhase(at: Date())
  private(set) var updates = 0
  private var ticking: Task<Void, Never>?

  func appear() {
    ticking = Task(name: "moon") {
      while true {
        phase = MoonPhase(at: Date())
        updates += 1
        try? await Task.sleep(for: .milliseconds(50))  // culprit
      }
    }
  }

  func disappear() {
    ticking?.cancel()
    ticking = nil
  }
}

let page = MoonPage()
page.appear()
try await Task.sleep(for: .milliseconds(220))
page.disappear()
let before = page.updates
try await Task.sleep(for: .milliseconds(300))
print("\(before) updates while open, \(page.updates - before) after closing")
