// Symptom: The dashboard counts fewer requests than the servers have answered. The more traffic
// there is, the more are missing.
// Looks at: the flusher ("flush")

import Foundation

struct Sample: Hashable, Sendable {
  var route: String
  var status: Int
}

/// The service behind the dashboard. A push takes its time.
actor MetricsBackend {
  private(set) var totals: [Sample: Int] = [:]

  func push(_ counters: [Sample: Int]) async throws {
    try await Task.sleep(for: .milliseconds(40))
    totals.merge(counters, uniquingKeysWith: +)
  }
}

actor MetricsRegistry {
  private let backend: MetricsBackend
  private var counters: [Sample: Int] = [:]
  private var failures = 0

  init(backend: MetricsBackend) {
    self.backend = backend
  }

  func increment(_ sample: Sample) {
    counters[sample, default: 0] += 1
  }

  func flush() async {
    guard !counters.isEmpty else { return }
    do {
      try await backend.push(counters)
      counters.removeAll()  // culprit
    } catch {
      // They stay for the next time.
      failures += 1
    }
  }
}

struct Server: Sendable {
  let metrics: MetricsRegistry

  func serve(connection: Int, requests: Int) async {
    for number in 1...requests {
      try? await Task.sleep(for: .milliseconds(4))
      let route = number.isMultiple(of: 3) ? "/cart" : "/products"
      let status = (connection + number).isMultiple(of: 10) ? 503 : 200
      await metrics.increment(Sample(route: route, status: status))
    }
  }
}

let backend = MetricsBackend()
let metrics = MetricsRegistry(backend: backend)
let server = Server(metrics: metrics)

let flusher = Task(name: "flush") {
  while !Task.isCancelled {
    try? await Task.sleep(for: .milliseconds(80))
    await metrics.flush()
  }
}

let connections = 8
let requests = 100
await withTaskGroup(of: Void.self) { group in
  for connection in 1...connections {
    group.addTask(name: "connection") {
      await server.serve(connection: connection, requests: requests)
    }
  }
}
flusher.cancel()
await flusher.value
await metrics.flush()

let counted = await backend.totals.values.reduce(0, +)
print("answered \(connections * requests) requests, the dashboard shows \(counted)")
for (sample, count) in await backend.totals.sorted(by: { $0.value > $1.value }) {
  print("  \(sample.route) \(sample.status): \(count)")
}
