// Symptom: Customers with a long invoice get it twice. Those with a short one get it once.
// Looks at: the workers ("worker")

import Foundation

struct Job: Sendable {
  var customer: String
  var items: Int
}

/// Who takes a job has it for a while. Then somebody else may take it, unless the lease is renewed.
actor JobBoard {
  private struct Lease {
    var owner: String
    var end: ContinuousClock.Instant
  }

  private let term = Duration.milliseconds(120)
  private var open: [Job]
  private var leases: [String: Lease] = [:]

  init(_ jobs: [Job]) {
    open = jobs
  }

  var isEmpty: Bool { open.isEmpty }

  func claim(by owner: String) -> Job? {
    let now = ContinuousClock.now
    let free = open.first { job in leases[job.customer].map { $0.end < now } ?? true }
    guard let free else { return nil }
    leases[free.customer] = Lease(owner: owner, end: now + term)
    return free
  }

  func renew(_ job: Job, by owner: String) {
    guard leases[job.customer]?.owner == owner else { return }
    leases[job.customer]?.end = .now + term
  }

  func complete(_ job: Job) {
    open.removeAll { $0.customer == job.customer }
    leases[job.customer] = nil
  }
}

actor MailServer {
  private(set) var sent: [String: Int] = [:]

  func send(_ document: [UInt8], to customer: String) {
    sent[customer, default: 0] += 1
  }
}

enum Renderer {
  static func render(_ job: Job) -> [UInt8] {
    let end = Date().addingTimeInterval(Double(job.items) / 1_000)
    var document = [UInt8](repeating: 0, count: 4_096)
    while Date() < end {
      for index in document.indices { document[index] &+= UInt8(truncatingIfNeeded: index) }
    }
    return document
  }
}

actor Worker {
  private let name: String
  private let board: JobBoard
  private let mail: MailServer
  private var finished = 0

  init(name: String, board: JobBoard, mail: MailServer) {
    self.name = name
    self.board = board
    self.mail = mail
  }

  func run() async throws {
    while await !board.isEmpty {
      guard let job = await board.claim(by: name) else {
        try await Task.sleep(for: .milliseconds(20))
        continue
      }
      let heartbeat = Task(name: "heartbeat") { try await keep(job) }
      let document = Renderer.render(job)  // culprit
      heartbeat.cancel()
      await mail.send(document, to: job.customer)
      await board.complete(job)
      finished += 1
    }
  }

  private func keep(_ job: Job) async throws {
    while true {
      try await Task.sleep(for: .milliseconds(40))
      await board.renew(job, by: name)
    }
  }
}

let mail = MailServer()
let board = JobBoard([
  Job(customer: "Hotel Astor", items: 400), Job(customer: "Bakery Klein", items: 20),
  Job(customer: "Mr Osei", items: 10),
])
try await withThrowingTaskGroup(of: Void.self) { group in
  for name in ["north", "south"] {
    let worker = Worker(name: name, board: board, mail: mail)
    group.addTask(name: "worker") { try await worker.run() }
  }
  try await group.waitForAll()
}
for (customer, count) in await mail.sent.sorted(by: { $0.key < $1.key }) {
  print("\(customer): \(count) mail\(count == 1 ? "" : "s")")
}
