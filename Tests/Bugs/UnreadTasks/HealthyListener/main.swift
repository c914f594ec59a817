// Symptom: None; this works.
// Looks at: the listener ("listen")

import Foundation

struct Request: Sendable {
  var id: Int
  var path: String
}

enum ServerError: Error {
  case deadlineExceeded
}

/// At most so many requests are worked on at once; who is cancelled while waiting gives up.
actor Admission {
  private var free: Int
  private var waiting: [(id: UUID, continuation: CheckedContinuation<Void, any Error>)] = []

  init(limit: Int) {
    free = limit
  }

  func enter() async throws {
    try Task.checkCancellation()
    if free > 0 {
      free -= 1
      return
    }
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          waiting.append((id, continuation))
        }
      }
    } onCancel: {
      Task { await self.giveUp(id) }
    }
  }

  func leave() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().continuation.resume()
    }
  }

  private func giveUp(_ id: UUID) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).continuation.resume(throwing: CancellationError())
  }
}

actor Statistics {
  private(set) var answered = 0
  private(set) var timedOut = 0

  func count(answered ok: Bool) {
    if ok { answered += 1 } else { timedOut += 1 }
  }
}

struct Server: Sendable {
  let admission = Admission(limit: 4)
  let statistics = Statistics()

  func listen(to requests: AsyncStream<Request>) async {
    await withDiscardingTaskGroup { group in
      for await request in requests {
        group.addTask(name: "request") { await serve(request) }
      }
    }
  }

  private func serve(_ request: Request) async {
    do {
      try await within(.milliseconds(60)) { try await answer(request) }
      await statistics.count(answered: true)
    } catch {
      await statistics.count(answered: false)
    }
  }

  private func answer(_ request: Request) async throws {
    try await admission.enter()
    do {
      try await Task.sleep(for: .milliseconds(request.path == "/report" ? 200 : 5))
    } catch {
      await admission.leave()
      throw error
    }
    await admission.leave()
  }

  private func within(
    _ time: Duration, _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask(name: "work", operation: work)
      group.addTask(name: "deadline") {
        try await Task.sleep(for: time)
        throw ServerError.deadlineExceeded
      }
      try await group.next()
    }
  }
}

let server = Server()
let (requests, accept) = AsyncStream.makeStream(of: Request.self)
let listener = Task(name: "listen") { await server.listen(to: requests) }
for id in 1...120 {
  accept.yield(Request(id: id, path: id.isMultiple(of: 40) ? "/report" : "/stock"))
  try await Task.sleep(for: .milliseconds(6))
}
accept.finish()
await listener.value
print("\(await server.statistics.answered) answered, \(await server.statistics.timedOut) too late")
