// Symptom: None. Two posters are printed at a time, and the old cash register gets its answer,
// too.
// Looks at: the printing of all posters ("posters")

import Foundation

enum Job {
  @TaskLocal static var customer = "nobody"
}

// Safety: all that changes is used while `lock` is held.
final class Ledger: @unchecked Sendable {
  private let lock = NSLock()
  private var cents: [String: Int] = [:]

  func add(_ amount: Int, to customer: String) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard amount > 0 else { return false }
    cents[customer, default: 0] += amount
    return true
  }

  func total(of customer: String) -> Int { lock.withLock { cents[customer] ?? 0 } }
}

actor Press {
  private var running = 0
  private(set) var most = 0

  func print(_ poster: Int) async throws -> Int {
    running += 1
    most = max(most, running)
    defer { running -= 1 }
    try await Task.sleep(for: .milliseconds(30))
    return poster * 100
  }
}

struct Shop: Sendable {
  let press = Press()
  let ledger = Ledger()

  func print(_ posters: [Int]) async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for (index, poster) in posters.enumerated() {
        if index >= 2, let cents = try await group.next() { book(cents) }
        group.addTask(name: "poster \(poster)") { try await press.print(poster) }
      }
      for try await cents in group { book(cents) }
    }
  }

  private func book(_ cents: Int) { _ = ledger.add(cents, to: Job.customer) }

  /// The register knows no tasks: it waits on a thread of its own, which no task needs.
  func register(_ customer: String, _ done: @escaping @Sendable (Int) -> Void) {
    DispatchQueue(label: "register").async {
      let answered = DispatchSemaphore(value: 0)
      Task(name: "last poster") {
        try? await Job.$customer.withValue(customer) { try await print([7]) }
        answered.signal()
      }
      answered.wait()
      done(ledger.total(of: customer))
    }
  }
}

let shop = Shop()
let posters = Task(name: "posters") {
  try await Job.$customer.withValue("Ida") { try await shop.print([1, 2, 3, 4, 5, 6]) }
}
try await posters.value
let total = await withCheckedContinuation { continuation in
  shop.register("Ida") { continuation.resume(returning: $0) }
}
print("Ida pays \(total) of 2800, at most \(await shop.press.most) at a time")
