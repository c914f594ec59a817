// Symptom: None. When the service is told to stop, it takes no new jobs, does those that it has,
// writes what it has collected, and is gone.
// Looks at: the worker ("worker")

import Foundation

struct Job: Sendable {
  let number: Int
}

actor Disk {
  private(set) var written: [Int] = []

  func write(_ numbers: [Int]) async throws {
    try await Task.sleep(for: .milliseconds(20))
    written += numbers
  }
}

/// Collects numbers and writes them from time to time, and those that are left when it is stopped.
actor Journal {
  private let disk: Disk
  private var batch: [Int] = []

  init(disk: Disk) { self.disk = disk }

  func add(_ number: Int) { batch.append(number) }

  func run(every interval: Duration) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: interval)
      await flush()
    }
    // A task of its own: the last write must not be cancelled.
    await Task(name: "last flush") { await flush() }.value
  }

  private func flush() async {
    guard !batch.isEmpty else { return }
    let numbers = batch
    batch = []
    do {
      try await disk.write(numbers)
    } catch {
      batch.insert(contentsOf: numbers, at: 0)
    }
  }
}

final class Service: Sendable {
  private let jobs: AsyncStream<Job>
  private let inbox: AsyncStream<Job>.Continuation
  private let journal: Journal

  init(journal: Journal) {
    (jobs, inbox) = AsyncStream.makeStream()
    self.journal = journal
  }

  func accept(_ job: Job) -> Bool {
    if case .enqueued = inbox.yield(job) { return true }
    return false
  }

  func work() async {
    for await job in jobs {
      try? await Task.sleep(for: .milliseconds(15))
      await journal.add(job.number)
    }
  }

  func stop() { inbox.finish() }
}

let disk = Disk()
let journal = Journal(disk: disk)
let service = Service(journal: journal)
let worker = Task(name: "worker") { await service.work() }
let writer = Task(name: "writer") { await journal.run(every: .milliseconds(70)) }

var accepted = 0
for number in 1...20 {
  if service.accept(Job(number: number)) { accepted += 1 }
  try await Task.sleep(for: .milliseconds(10))
  if number == 15 { service.stop() }
}
await worker.value
writer.cancel()
await writer.value
let written = await disk.written
print(
  "\(accepted) of 20 jobs taken, \(written.count) written, in order: \(written == Array(1...15))")
