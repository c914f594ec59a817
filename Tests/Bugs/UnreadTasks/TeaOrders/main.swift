// Symptom: When the kitchen's printer is slow, a table gets its tea twice, and pays for two.
// Looks at: the order of that table ("table 7")

import Foundation

struct TimedOut: Error {}

/// A continuation that the first one resumes; later ones have no effect. Safety: `lock` guards it.
final class First<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var continuation: CheckedContinuation<Value, any Error>?

  init(_ continuation: CheckedContinuation<Value, any Error>) { self.continuation = continuation }

  func resume(with result: Result<Value, any Error>) {
    let waiting = lock.withLock {
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}

func within<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let first = First(continuation)
    Task(name: "attempt") {  // culprit
      do {
        first.resume(with: .success(try await work()))
      } catch {
        first.resume(with: .failure(error))
      }
    }
    Task(name: "limit") {
      try? await Task.sleep(for: limit)
      first.resume(with: .failure(TimedOut()))
    }
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
