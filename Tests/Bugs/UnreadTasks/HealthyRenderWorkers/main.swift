// Symptom: None; this works.
// Looks at: the workers ("worker")

import Dispatch
import Foundation

struct Job: Sendable {
  var id: Int
  var frames: Int
}

/// A job belongs to its worker until the lease ends. A worker that has lost it is turned away.
actor LeaseTable {
  private struct Lease {
    var token: Int
    var end: ContinuousClock.Instant
  }

  private let term = Duration.milliseconds(200)
  private var open: [Job]
  private var leases: [Int: Lease] = [:]
  private var lastToken = 0
  private(set) var completed: [Int: Int] = [:]

  init(_ jobs: [Job]) {
    open = jobs
  }

  var isEmpty: Bool { open.isEmpty }

  func claim() -> (job: Job, token: Int)? {
    let now = ContinuousClock.now
    guard let job = open.first(where: { leases[$0.id].map { $0.end < now } ?? true }) else {
      return nil
    }
    lastToken += 1
    leases[job.id] = Lease(token: lastToken, end: now + term)
    return (job, lastToken)
  }

  func renew(_ job: Job, token: Int) {
    guard leases[job.id]?.token == token else { return }
    leases[job.id]?.end = .now + term
  }

  func complete(_ job: Job, token: Int, bytes: Int) -> Bool {
    guard leases[job.id]?.token == token else { return false }
    leases[job.id] = nil
    open.removeAll { $0.id == job.id }
    completed[job.id] = bytes
    return true
  }
}

/// The encoder blocks its thread, so it has one of its own.
final class Encoder: Sendable {
  private let queue = DispatchQueue(label: "encoder")

  func encode(_ job: Job) async -> Int {
    await withCheckedContinuation { continuation in
      queue.async {
        Thread.sleep(forTimeInterval: Double(job.frames) / 1_000)
        continuation.resume(returning: job.frames * 1_024)
      }
    }
  }
}

actor Worker {
  private let table: LeaseTable
  private let encoder = Encoder()

  init(table: LeaseTable) {
    self.table = table
  }

  func run() async throws {
    while await !table.isEmpty {
      guard let (job, token) = await table.claim() else {
        try await Task.sleep(for: .milliseconds(20))
        continue
      }
      let heartbeat = Task(name: "heartbeat") { try await keep(job, token: token) }
      let bytes = await encoder.encode(job)
      heartbeat.cancel()
      if await !table.complete(job, token: token, bytes: bytes) {
        print("job \(job.id): the lease was lost")
      }
    }
  }

  private func keep(_ job: Job, token: Int) async throws {
    while true {
      try await Task.sleep(for: .milliseconds(40))
      await table.renew(job, token: token)
    }
  }
}

let table = LeaseTable([
  Job(id: 1, frames: 450), Job(id: 2, frames: 30), Job(id: 3, frames: 320), Job(id: 4, frames: 15),
])
try await withThrowingTaskGroup(of: Void.self) { group in
  for _ in 1...2 {
    let worker = Worker(table: table)
    group.addTask(name: "worker") { try await worker.run() }
  }
  try await group.waitForAll()
}
for (id, bytes) in await table.completed.sorted(by: { $0.key < $1.key }) {
  print("job \(id): \(bytes) bytes")
}
