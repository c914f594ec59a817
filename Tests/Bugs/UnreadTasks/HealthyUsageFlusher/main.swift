// Symptom: None; this works.
// Looks at: the flusher ("flush")

import Foundation

struct Usage: Sendable {
  var calls = 0
  var bytes = 0

  static func + (left: Usage, right: Usage) -> Usage {
    Usage(calls: left.calls + right.calls, bytes: left.bytes + right.bytes)
  }
}

enum BillingError: Error {
  case overloaded
}

/// Refuses a report now and then.
actor BillingService {
  private(set) var total = Usage()
  private var reports = 0

  func report(_ usages: [String: Usage]) async throws {
    reports += 1
    let number = reports
    try await Task.sleep(for: .milliseconds(30))
    if number.isMultiple(of: 3) { throw BillingError.overloaded }
    total = usages.values.reduce(total, +)
  }
}

actor UsageMeter {
  private let billing: BillingService
  private var usages: [String: Usage] = [:]
  private var flushing: Task<Void, Never>?

  init(billing: BillingService) {
    self.billing = billing
  }

  func start(every interval: Duration) {
    guard flushing == nil else { return }
    flushing = Task(name: "flush") {
      while !Task.isCancelled {
        do {
          try await Task.sleep(for: interval)
        } catch {
          break
        }
        await flush()
      }
    }
  }

  func record(_ tenant: String, bytes: Int) {
    usages[tenant, default: Usage()] =
      usages[tenant, default: Usage()] + Usage(calls: 1, bytes: bytes)
  }

  /// Ends the flusher, and reports what is left, however often it takes.
  func stop() async {
    flushing?.cancel()
    await flushing?.value
    flushing = nil
    for _ in 1...5 where !usages.isEmpty { await flush() }
  }

  private func flush() async {
    guard !usages.isEmpty else { return }
    let taken = usages
    usages.removeAll()
    // A report that has begun is not broken off by the end of the flusher.
    let report = Task(name: "report") { [billing] in try await billing.report(taken) }
    do {
      try await report.value
    } catch {
      usages.merge(taken, uniquingKeysWith: +)
    }
  }
}

let billing = BillingService()
let meter = UsageMeter(billing: billing)
await meter.start(every: .milliseconds(70))
await withTaskGroup(of: Void.self) { group in
  for tenant in ["north", "south", "west"] {
    group.addTask(name: "tenant") {
      for call in 1...120 {
        await meter.record(tenant, bytes: 100 + call)
        try? await Task.sleep(for: .milliseconds(4))
      }
    }
  }
}
await meter.stop()
let total = await billing.total
print("360 calls, billed \(total.calls) with \(total.bytes) bytes")
