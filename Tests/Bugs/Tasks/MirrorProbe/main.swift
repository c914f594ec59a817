// Symptom: When we take a mirror out of the list, it isn't left in peace: its access log shows our
// health check thousands of times a second.
// Looks at: the check of the mirror ("probe fra2")

import Foundation

/// A server that others download from.
actor Mirror {
  nonisolated let name: String
  private(set) var hits = 0
  private var accessLog: [String] = []
  private var checksum = 0

  init(name: String) { self.name = name }

  func head(_ path: String) -> Int {
    hits += 1
    let status = path == "/healthz" ? 200 : 404
    accessLog.append("\(hits) HEAD \(path) \(status)")
    checksum = accessLog.suffix(20).reduce(0) { $1.utf8.reduce($0) { $0 &* 31 &+ Int($1) } }
    return status
  }
}

extension Duration {
  /// Does something again and again, with a pause in between.
  func repeating(_ body: @Sendable () async throws -> Void) async throws {
    while true {
      try await body()
      try? await Task.sleep(for: self)  // culprit
    }
  }
}

actor HealthMonitor {
  private var probes: [String: Task<Void, any Error>] = [:]
  private var statuses: [String: Int] = [:]
  private let interval: Duration

  init(interval: Duration) { self.interval = interval }

  func add(_ mirror: Mirror) {
    probes[mirror.name] = Task(name: "probe \(mirror.name)") { [interval] in
      try await interval.repeating {
        let status = await mirror.head("/healthz")
        await self.note(status, of: mirror.name)
      }
    }
  }

  func remove(_ mirror: Mirror) {
    probes.removeValue(forKey: mirror.name)?.cancel()
    statuses[mirror.name] = nil
  }

  private func note(_ status: Int, of name: String) {
    if probes[name] != nil { statuses[name] = status }
  }

  var healthy: [String] { statuses.filter { $0.value == 200 }.keys.sorted() }
}

let ams = Mirror(name: "ams1")
let fra = Mirror(name: "fra2")
let monitor = HealthMonitor(interval: .milliseconds(40))
await monitor.add(ams)
await monitor.add(fra)

try await Task.sleep(for: .milliseconds(250))
print("healthy: \(await monitor.healthy), \(await fra.hits) checks of fra2")

await monitor.remove(fra)
let before = await fra.hits
try await Task.sleep(for: .milliseconds(150))
print("healthy: \(await monitor.healthy), \(await fra.hits - before) checks of fra2 since it left")
