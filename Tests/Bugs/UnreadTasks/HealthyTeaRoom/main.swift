// Symptom: None; this works.
// Looks at: the order of a table ("table 7")

import Foundation

/// Gives the work up if it takes longer; what it did until then is known when this returns.
func within<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let attempt = Task(name: "attempt") { try await work() }
  let timer = Task(name: "limit") {
    try await Task.sleep(for: limit)
    attempt.cancel()
  }
  defer { timer.cancel() }
  return try await withTaskCancellationHandler {
    try await attempt.value
  } onCancel: {
    attempt.cancel()
  }
}

actor Kitchen {
  private(set) var slips: [String] = []
  private var isWarm = false

  func print(_ slip: String) async throws {
    let delay = isWarm ? 10 : 180
    isWarm = true
    try await Task.sleep(for: .milliseconds(delay))
    slips.append(slip)
  }
}

struct Waiter: Sendable {
  let kitchen: Kitchen

  func order(_ tea: String, table: Int) async -> Bool {
    for _ in 1...3 {
      do {
        try await within(.milliseconds(100)) { try await kitchen.print("\(table): \(tea)") }
        return true
      } catch {
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    return false
  }
}

let waiter = Waiter(kitchen: Kitchen())
for (table, tea) in [(7, "Assam"), (3, "Sencha")] {
  let order = Task(name: "table \(table)") { await waiter.order(tea, table: table) }
  print("table \(table) ordered \(tea): \(await order.value ? "ok" : "please try again")")
}
try await Task.sleep(for: .milliseconds(250))
for slip in await waiter.kitchen.slips { print("slip  \(slip)") }
