// Symptom: The server dies as soon as the journal has become so long that it is rotated.
// Looks at: the bookings ("book")

import Dispatch
import Foundation

struct Entry: Sendable {
  var account: String
  var cents: Int
}

/// Runs the actor on a queue that the code without tasks uses, too.
final class QueueExecutor: SerialExecutor {
  let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}

actor LedgerStore {
  private let executor = QueueExecutor(label: "ledger")
  private let rotateAt: Int
  private var journal: [String] = []
  private var archives: [[String]] = []
  private var balances: [String: Int] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(rotateAt: Int) {
    self.rotateAt = rotateAt
  }

  func book(_ entry: Entry) async {
    balances[entry.account, default: 0] += entry.cents
    journal.append("\(entry.account) \(entry.cents)")
    if journal.count.isMultiple(of: 20) { rotateIfNeeded() }
  }

  /// For the status page, which has no tasks.
  nonisolated var journalSize: Int {
    executor.queue.sync {
      assumeIsolated { ledger in ledger.journal.reduce(0) { $0 + $1.utf8.count + 1 } }
    }
  }

  private func rotateIfNeeded() {
    let size = journalSize  // culprit
    guard size >= rotateAt else { return }
    print("rotates \(size) bytes")
    archives.append(journal)
    journal.removeAll(keepingCapacity: true)
  }

  var summary: String {
    "\(balances.count) accounts, \(archives.count) archives"
  }
}

struct StatusPage {
  let ledger: LedgerStore

  func render() -> String {
    "journal: \(ledger.journalSize) bytes"
  }
}

let ledger = LedgerStore(rotateAt: 400)
let page = StatusPage(ledger: ledger)
await withTaskGroup(of: Void.self) { group in
  for branch in 1...3 {
    group.addTask(name: "book") {
      for number in 1...25 {
        await ledger.book(Entry(account: "branch-\(branch)", cents: number * 10))
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
  }
  try? await Task.sleep(for: .milliseconds(12))
  print(page.render())
}
print(page.render())
print(await ledger.summary)
