// Symptom: None; this works.
// Looks at: those who look at the exchange rate ("window", "till")

import Foundation

struct Rate: Sendable {
  let centimes: Int
}

@MainActor
final class Screen {
  private var following: Task<Void, Never>?
  private let pause: Duration
  private(set) var shown: [Int] = []

  init(name: String, pause: Duration, rates: Broadcast<Rate>) {
    self.pause = pause
    following = Task(name: name) { [weak self] in
      for await rate in rates.stream() {
        guard let self else { return }
        self.shown.append(rate.centimes)
        try? await Task.sleep(for: self.pause)
      }
    }
  }

  deinit { following?.cancel() }

  func end() async { await following?.value }

  func close() { following?.cancel() }
}

let rates = Broadcast<Rate>()
let till = Screen(name: "till", pause: .zero, rates: rates)
let window = Screen(name: "window", pause: .milliseconds(70), rates: rates)
var visitor: Screen?
for step in 0..<8 {
  try await Task.sleep(for: .milliseconds(25))
  rates.send(Rate(centimes: 95 + step))
  if step == 3 { visitor = Screen(name: "visitor", pause: .zero, rates: rates) }
  if step == 5 { visitor?.close() }
}
try await Task.sleep(for: .milliseconds(25))
print("listeners: \(rates.count)")
rates.finish()
await till.end()
await window.end()
print("the till saw \(till.shown.count) rates, the last \(till.shown.last ?? 0)")
print("the window ended with \(window.shown.last ?? 0), and skipped: \(window.shown.count < 8)")
print("the visitor saw \(visitor?.shown.count ?? 0); listeners: \(rates.count)")
