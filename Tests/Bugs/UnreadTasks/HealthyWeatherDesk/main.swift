// Symptom: None; this works.
// Looks at: the forecast on the desk ("desk")

import Foundation

struct Unavailable: Error {}

/// One request per town at a time: who asks for the same town waits for the same task.
actor Forecasts {
  private var inFlight: [String: Task<[Double], Error>] = [:]
  private(set) var requests = 0

  func forecast(for town: String) async throws -> [Double] {
    if let running = inFlight[town] { return try await running.value }
    requests += 1
    let task = Task(name: "request \(town)") {
      try await Task.sleep(for: .milliseconds(town == "Nowhere" ? 5_000 : 40))
      return (0..<60_000).map { sin(Double($0) / 500) * 12 + Double(town.count) }
    }
    inFlight[town] = task
    defer { inFlight[town] = nil }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

func within<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw Unavailable()
    }
    defer { group.cancelAll() }
    return try await group.next()!
  }
}

@MainActor
final class Desk {
  let forecasts = Forecasts()
  private(set) var lines: [String] = []

  func show(_ town: String) async {
    do {
      let values = try await within(.milliseconds(150)) { [forecasts] in
        try await forecasts.forecast(for: town)
      }
      // Long sums are none of the main actor's business.
      let mean = await Task.detached(priority: .userInitiated) {
        values.sorted().reduce(0, +) / Double(values.count)
      }.value
      lines.append("\(town): \(Int(mean.rounded())) °C")
    } catch {
      lines.append("\(town): not available")
    }
  }
}

let desk = Desk()
await withDiscardingTaskGroup { group in
  for town in ["Husum", "Bergen", "Husum", "Nowhere", "Husum", "Bergen"] {
    group.addTask(name: "desk \(town)") { await desk.show(town) }
  }
}
print(desk.lines.sorted().joined(separator: "\n"))
print("\(await desk.forecasts.requests) requests")
