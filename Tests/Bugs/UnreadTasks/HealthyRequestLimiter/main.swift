// Symptom: None; this works.
// Looks at: the requests ("request")

import Foundation

/// Lets a few through at a time; the others wait in the order in which they came.
actor RequestLimiter {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(limit: Int) { free = limit }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }

  func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
    await enter()
    defer { leave() }
    return try await work()
  }
}

enum ServerError: Error {
  case gone(Int)
}

actor Server {
  private var open = 0
  private(set) var mostAtOnce = 0

  func product(_ number: Int) async throws -> String {
    open += 1
    defer { open -= 1 }
    mostAtOnce = max(mostAtOnce, open)
    try await Task.sleep(for: .milliseconds(20))
    if number % 9 == 0 { throw ServerError.gone(number) }
    return "product \(number)"
  }
}

let server = Server()
let limiter = RequestLimiter(limit: 3)
let requests = (1...20).map { number in
  Task(name: "request") {
    try await limiter.run { try await server.product(number) }
  }
}
for request in requests {
  switch await request.result {
  case .success(let product): print(product)
  case .failure(let error): print("not there: \(error)")
  }
}
print("\(await server.mostAtOnce) at once")
