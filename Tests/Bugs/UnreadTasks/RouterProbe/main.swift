// Symptom: "Find devices" ends when all devices answer. With one that is switched off it turns for
// ever, though each probe has a limit of 100 ms.
// Looks at: the probe of the device that is off ("probe camera")

import Foundation

struct TimedOut: Error {}

/// Does the work, but for no longer than the limit.
func within<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw TimedOut()
    }
    defer { group.cancelAll() }
    return try await group.next()!
  }
}

/// The network at home. What is switched off says nothing.
actor Network {
  private let models = ["printer": "LaserLite 3", "lamp": "Glow", "camera": "Owl 2"]
  private let isOff: Set = ["camera"]
  private var pending: [String: UnsafeContinuation<String, Never>] = [:]

  func model(of device: String) async -> String {
    Task { await self.deliver(to: device) }
    return await withUnsafeContinuation { pending[device] = $0 }  // culprit
  }

  private func deliver(to device: String) async {
    try? await Task.sleep(for: .milliseconds(25))
    guard !isOff.contains(device), let model = models[device] else { return }
    pending.removeValue(forKey: device)?.resume(returning: model)
  }
}

let network = Network()
let probes = ["printer", "lamp", "camera"].map { device in
  Task(name: "probe \(device)") {
    do {
      let model = try await within(.milliseconds(100)) { await network.model(of: device) }
      return "\(device): \(model)"
    } catch {
      return "\(device): does not answer"
    }
  }
}
for probe in probes { print(await probe.value) }
