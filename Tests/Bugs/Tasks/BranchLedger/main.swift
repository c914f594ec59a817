// Symptom: The receipt of a deposit names the branch where it was made, but in the ledger all
// deposits of the day are those of the head office.
// Looks at: the deposits ("deposit")

import Foundation

enum Session {
  @TaskLocal static var branch = "Head office"
}

struct Entry: Sendable {
  let branch: String
  let account: String
  let amount: Int
}

struct LineDown: Error {}

actor Ledger {
  private(set) var entries: [Entry] = []
  private var calls = 0

  func write(_ amount: Int, to account: String) async throws {
    calls += 1
    if calls == 2 { throw LineDown() }
    try await Task.sleep(for: .milliseconds(10))
    entries.append(Entry(branch: Session.branch, account: account, amount: amount))
  }
}

/// What was begun is finished, even if the teller's terminal is closed meanwhile.
func finishing<Result: Sendable>(
  _ name: String, attempts: Int = 3, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let job = Task.detached(name: name) {  // culprit
    for _ in 1..<attempts {
      do {
        return try await work()
      } catch {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    return try await work()
  }
  return try await job.value
}

struct Counter: Sendable {
  let ledger: Ledger

  func deposit(_ amount: Int, to account: String) async throws -> String {
    try await finishing("deposit") {
      try await ledger.write(amount, to: account)
    }
    return "\(Session.branch): \(amount) for \(account)"
  }
}

let counter = Counter(ledger: Ledger())
let customers = [("Harbour", "Okafor", 120), ("Old town", "Lindt", 45), ("Harbour", "Moreau", 300)]
await withTaskGroup(of: Void.self) { group in
  for (branch, account, amount) in customers {
    group.addTask(name: "customer \(account)") {
      await Session.$branch.withValue(branch) {
        do {
          print("receipt  \(try await counter.deposit(amount, to: account))")
        } catch {
          print("\(branch): \(error)")
        }
      }
    }
  }
}
for entry in await counter.ledger.entries {
  print("ledger   \(entry.branch): \(entry.amount) for \(entry.account)")
}
