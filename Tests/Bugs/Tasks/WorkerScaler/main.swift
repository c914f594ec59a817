// Symptom: At night the number of workers is reduced from four to two. From then on no job is done
// at all, and nothing says why.
// Looks at: the workers ("worker")

import Foundation

struct Job: Sendable {
  var id: Int
  var name: String
}

actor Results {
  private(set) var done: [Int: Int] = [:]

  func record(_ job: Job, by worker: Int) {
    done[worker, default: 0] += 1
  }

  var count: Int { done.values.reduce(0, +) }
}

actor WorkerPool {
  private let jobs: AsyncStream<Job>
  private let results: Results
  private var workers: [Task<Void, Never>] = []
  private var started = 0

  init(jobs: AsyncStream<Job>, results: Results) {
    self.jobs = jobs
    self.results = results
  }

  func scale(to count: Int) {
    while workers.count < count {
      started += 1
      workers.append(startWorker(started))
    }
    while workers.count > count {
      workers.removeLast().cancel()  // culprit
    }
  }

  func drain() async {
    for worker in workers { await worker.value }
  }

  private func startWorker(_ number: Int) -> Task<Void, Never> {
    Task(name: "worker") { [jobs, results] in
      for await job in jobs {
        await Self.perform(job)
        await results.record(job, by: number)
      }
    }
  }

  private static func perform(_ job: Job) async {
    let clock = ContinuousClock()
    // A job that has begun is brought to its end.
    await Task { try? await clock.sleep(for: .milliseconds(12)) }.value
  }
}

struct Scheduler: Sendable {
  let queue: AsyncStream<Job>.Continuation

  func enqueue(_ range: ClosedRange<Int>, every interval: Duration) async {
    for id in range {
      queue.yield(Job(id: id, name: "thumbnail-\(id)"))
      try? await Task.sleep(for: interval)
    }
  }
}

let (jobs, queue) = AsyncStream.makeStream(of: Job.self)
let results = Results()
let pool = WorkerPool(jobs: jobs, results: results)
let scheduler = Scheduler(queue: queue)

await pool.scale(to: 4)
await scheduler.enqueue(1...60, every: .milliseconds(5))
try await Task.sleep(for: .milliseconds(50))
print("day: 60 jobs, \(await results.count) done")

await pool.scale(to: 2)
await scheduler.enqueue(61...100, every: .milliseconds(12))
try await Task.sleep(for: .milliseconds(50))
print("night: 40 jobs, \(await results.count - 60) done")
queue.finish()
await pool.drain()
