// Symptom: I search the logs for the number of a request and find what the handler wrote, but never
// the lines of its audit: those all say "no request".
// Looks at: the audit of an order ("audit")

import Foundation

enum Trace {
  @TaskLocal static var request = "no request"
}

actor Log {
  private var lines: [String] = []

  nonisolated func info(_ text: String) async {
    await append("[\(Trace.request)] \(text)")
  }

  private func append(_ line: String) { lines.append(line) }

  func dump() { lines.sorted().forEach { print($0) } }
}

struct Request: Sendable {
  let number: Int
  let path: String
}

protocol Middleware: Sendable {
  func handle(
    _ request: Request, next: @Sendable (Request) async -> Int
  ) async -> Int
}

struct TracingMiddleware: Middleware {
  func handle(_ request: Request, next: @Sendable (Request) async -> Int) async -> Int {
    await Trace.$request.withValue("request \(request.number)") {
      await next(request)
    }
  }
}

actor OrderHandler {
  private let log: Log
  private var audits: [Task<Void, Never>] = []

  init(log: Log) { self.log = log }

  func serve(_ request: Request) async -> Int {
    await log.info("order at \(request.path)")
    let audit = Task.detached(name: "audit", priority: .utility) { [log] in  // culprit
      try? await Task.sleep(for: .milliseconds(30))
      await log.info("audit of \(request.path)")
    }
    audits.append(audit)
    return 201
  }

  func drain() async {
    for audit in audits { await audit.value }
    audits = []
  }
}

let log = Log()
let orders = OrderHandler(log: log)
let tracing: any Middleware = TracingMiddleware()

await withTaskGroup(of: Void.self) { server in
  for number in 41...44 {
    server.addTask(name: "connection \(number)") {
      let request = Request(number: number, path: "/orders/\(number * 3)")
      _ = await tracing.handle(request) { await orders.serve($0) }
    }
  }
}
await orders.drain()
await log.dump()
