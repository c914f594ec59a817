// Symptom: Last night the server of one customer answered 500 a single time. Since then no webhook
// goes out to anybody, until we start the service again.
// Looks at: the worker that sends them ("relay")

import Foundation

struct Hook: Sendable {
  let customer: String
  let event: String
}

struct HttpFailure: Error {
  let status: Int
}

/// The servers of the customers, one of which has a bad moment.
actor Internet {
  private(set) var received: [Hook] = []
  private var calls = 0

  func post(_ hook: Hook) async throws {
    calls += 1
    let call = calls
    try await Task.sleep(for: .milliseconds(10))
    guard call != 4 else { throw HttpFailure(status: 500) }
    received.append(hook)
  }
}

/// Works through jobs in the order in which they came.
final class JobWorker<Job: Sendable>: Sendable {
  typealias Handler = @Sendable (Job) async throws -> Void

  private let jobs: AsyncStream<Job>
  private let inbox: AsyncStream<Job>.Continuation
  private let handler: Handler

  init(handler: @escaping Handler) {
    (jobs, inbox) = AsyncStream.makeStream()
    self.handler = handler
  }

  func submit(_ job: Job) { inbox.yield(job) }

  func shutDown() { inbox.finish() }

  func run() async throws {
    for await job in jobs {
      try await handler(job)  // culprit
    }
  }
}

let internet = Internet()
let worker = JobWorker<Hook> { hook in
  try await internet.post(hook)
}
let relay = Task(name: "relay") { try await worker.run() }

for order in 1...20 {
  worker.submit(Hook(customer: "shop \(order % 3)", event: "order \(order) paid"))
  try await Task.sleep(for: .milliseconds(20))
}
worker.shutDown()
_ = await relay.result
let received = await internet.received
print("20 events, \(received.count) webhooks; the last: \(received.last?.event ?? "none")")
