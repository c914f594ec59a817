// Symptom: After a change of the tariff some customers are still charged the old price, until the
// server is restarted.
// Looks at: the quotes ("quote")

import Foundation

struct Tariff: Sendable {
  var zone: String
  var cents: Int
}

/// The database. A query sees the rows as they are when it starts.
actor TariffDatabase {
  private var rows = ["A": 210, "B": 330, "C": 480]
  private(set) var queries = 0

  func tariff(for zone: String) async throws -> Tariff? {
    queries += 1
    let found = rows[zone].map { Tariff(zone: zone, cents: $0) }
    try await Task.sleep(for: .milliseconds(80))
    return found
  }

  func update(_ tariff: Tariff) {
    rows[tariff.zone] = tariff.cents
  }
}

actor TariffCache {
  private let database: TariffDatabase
  private var entries: [String: Tariff] = [:]
  private var loading: [String: Task<Tariff?, any Error>] = [:]

  init(database: TariffDatabase) {
    self.database = database
  }

  func tariff(for zone: String) async throws -> Tariff? {
    if let entry = entries[zone] { return entry }
    if let task = loading[zone] { return try await task.value }
    let task = Task(name: "load tariff") { [database] in
      try await database.tariff(for: zone)
    }
    loading[zone] = task
    defer { loading[zone] = nil }
    let loaded = try await task.value
    entries[zone] = loaded  // culprit
    return loaded
  }

  func invalidate(_ zone: String) {
    entries[zone] = nil
  }
}

struct TariffAdmin: Sendable {
  let database: TariffDatabase
  let cache: TariffCache

  func change(_ zone: String, to cents: Int) async {
    await database.update(Tariff(zone: zone, cents: cents))
    await cache.invalidate(zone)
    print("admin: zone \(zone) now costs \(cents)")
  }
}

let database = TariffDatabase()
let cache = TariffCache(database: database)
let admin = TariffAdmin(database: database, cache: cache)

@Sendable func quote(_ zone: String) async {
  do {
    let price = try await cache.tariff(for: zone).map { "\($0.cents)" } ?? "unknown"
    print("quote: zone \(zone) costs \(price)")
  } catch {
    print("quote: zone \(zone) failed: \(error)")
  }
}

let early = ["A", "B", "B", "C"].map { zone in
  Task(name: "quote") { await quote(zone) }
}
try await Task.sleep(for: .milliseconds(30))
await admin.change("B", to: 390)
for task in early { await task.value }

for _ in 1...3 {
  try await Task.sleep(for: .milliseconds(100))
  await Task(name: "quote") { await quote("B") }.value
}
print("\(await database.queries) queries")
