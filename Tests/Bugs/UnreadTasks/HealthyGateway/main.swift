// Symptom: None; this works.
// Looks at: the gateway ("gateway")

import Foundation

struct Request: Sendable {
  let id: Int
  let milliseconds: Int
}

actor Ledger {
  private(set) var done: [Int] = []
  private(set) var beats = 0

  func finish(_ id: Int) { done.append(id) }
  func beat() { beats += 1 }
}

/// Serves requests until it is told to stop; then it takes no more, and ends what it has begun.
struct Gateway: Sendable {
  let ledger: Ledger

  func run(_ requests: AsyncStream<Request>) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(name: "heartbeat") {
        while true {
          await ledger.beat()
          try await Task.sleep(for: .milliseconds(40))
        }
      }
      group.addTask(name: "accept") {
        try await withThrowingDiscardingTaskGroup { handlers in
          for await request in requests {
            handlers.addTask(name: "request \(request.id)") {
              try await Task.sleep(for: .milliseconds(request.milliseconds))
              await ledger.finish(request.id)
            }
          }
        }
      }
      // The accepting child ends first: the heart beats for ever.
      try await group.next()
      group.cancelAll()
      do {
        try await group.waitForAll()
      } catch is CancellationError {
        print("the heart stands still")
      }
    }
  }
}

let ledger = Ledger()
let (requests, sink) = AsyncStream<Request>.makeStream()
let gateway = Task(name: "gateway") { try await Gateway(ledger: ledger).run(requests) }
for id in 1...60 {
  sink.yield(Request(id: id, milliseconds: id % 10 == 0 ? 180 : 15))
  try await Task.sleep(for: .milliseconds(8))
}
sink.finish()
print("shutting down, \(await ledger.done.count < 60 ? "some requests are" : "nothing is") open")
try await gateway.value
print("\(await ledger.done.count) requests done, \(await ledger.beats > 5 ? "it beat" : "no beat")")
