// Symptom: Since the update the household ledger does not start any more. The first picture stays
// there forever, and the progress does not even reach one per cent.
// Looks at: the migration of the ledger

import Foundation

struct Entry: Sendable {
  var text: String
  var cents: Int
}

actor OldDatabase {
  func entries(ofYear year: Int) async throws -> [Entry] {
    try await Task.sleep(for: .milliseconds(20))
    return (1...4).map { Entry(text: "\(year), entry \($0)", cents: $0 * 250) }
  }
}

@MainActor
final class Ledger {
  private let old = OldDatabase()
  private(set) var entries: [Entry] = []

  func migrate(_ years: [Int]) async {
    for year in years {
      do {
        entries += try await old.entries(ofYear: year)
        print("\(year) is in the new format")
      } catch {
        print("\(year) stays in the old format: \(error)")
      }
    }
  }
}

@MainActor
final class AppDelegate {
  let ledger = Ledger()

  func didFinishLaunching() -> Bool {
    let migrated = DispatchSemaphore(value: 0)
    Task {
      await ledger.migrate([2021, 2022, 2023])
      migrated.signal()
    }
    migrated.wait()  // culprit
    return !ledger.entries.isEmpty
  }
}

@main
struct LedgerApp {
  @MainActor
  static func main() {
    print("opening the ledger")
    let delegate = AppDelegate()
    let hasEntries = delegate.didFinishLaunching()
    print(hasEntries ? "\(delegate.ledger.entries.count) entries" : "an empty ledger")
  }
}
