// Symptom: If a replica is taken out of the cluster while the primary is restarting, the primary
// gets hundreds of requests from it within a moment.
// Looks at: the replica that catches up ("catch up")

import Foundation

enum ClusterError: Error {
  case unavailable
}

struct Snapshot: Sendable {
  var position: Int
  var rows: [String]
}

actor Primary {
  private let start = ContinuousClock.now
  private var isUp = false
  private(set) var requests: [Duration] = []

  func snapshot(after position: Int) throws -> Snapshot {
    requests.append(ContinuousClock.now - start)
    guard isUp else { throw ClusterError.unavailable }
    return Snapshot(position: position + 1, rows: ["row \(position + 1)"])
  }

  func finishRestart() {
    isUp = true
  }
}

struct Backoff {
  private var next = Duration.milliseconds(20)
  private let longest = Duration.milliseconds(160)

  mutating func delay() -> Duration {
    defer { next = min(next * 2, longest) }
    return next
  }
}

actor Replica {
  private let primary: Primary
  private let maxAttempts: Int
  private var position = 0
  private var rows: [String] = []
  private var catchingUp: Task<Void, Never>?

  init(primary: Primary, maxAttempts: Int) {
    self.primary = primary
    self.maxAttempts = maxAttempts
  }

  func join() {
    catchingUp = Task(name: "catch up") {
      do {
        let snapshot = try await fetchSnapshot()
        position = snapshot.position
        rows += snapshot.rows
      } catch {
        print("replica: gave up (\(error))")
      }
    }
  }

  func leave() async {
    catchingUp?.cancel()
    await catchingUp?.value
    catchingUp = nil
  }

  private func fetchSnapshot() async throws -> Snapshot {
    var backoff = Backoff()
    var lastError: any Error = ClusterError.unavailable
    for _ in 1...maxAttempts {
      do {
        return try await primary.snapshot(after: position)
      } catch {
        lastError = error
        try? await Task.sleep(for: backoff.delay())  // culprit
      }
    }
    throw lastError
  }
}

let primary = Primary()
let replica = Replica(primary: primary, maxAttempts: 500)
await replica.join()
try await Task.sleep(for: .milliseconds(400))
let before = await primary.requests.count
print("primary: \(before) requests in the first 400 ms")
await replica.leave()
let requests = await primary.requests
let late = requests.dropFirst(before)
if let first = late.first, let last = late.last {
  print("primary: \(late.count) requests in \((last - first) / .milliseconds(1)) ms afterwards")
}
await primary.finishRestart()
