// Symptom: None; this works.
// Looks at: the questions ("quote")

import Foundation

struct TooLate: Error {}

// Safety: `lock` guards the rest.
final class Call: @unchecked Sendable {
  private let lock = NSLock()
  private var waiting: CheckedContinuation<Int, any Error>?
  private var result: Result<Int, any Error>?

  func end(with result: Result<Int, any Error>) {
    let waiting = lock.withLock { () -> CheckedContinuation<Int, any Error>? in
      guard self.result == nil else { return nil }
      self.result = result
      return self.waiting
    }
    waiting?.resume(with: result)
  }

  func answer() async throws -> Int {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early = lock.withLock { () -> Result<Int, any Error>? in
          if result == nil { waiting = continuation }
          return result
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      end(with: .failure(CancellationError()))
    }
  }
}

final class Carrier: Sendable {
  let name: String
  private let delay: Double
  private let line = DispatchQueue(label: "carrier")

  init(name: String, delay: Double) {
    self.name = name
    self.delay = delay
  }

  func quote(for kilos: Int) async throws -> Int {
    let call = Call()
    line.asyncAfter(deadline: .now() + delay) { [name] in
      call.end(with: .success(kilos * name.count))
    }
    return try await call.answer()
  }
}

func quote(from carrier: Carrier, limit: Duration) async -> String {
  let price = try? await withThrowingTaskGroup(of: Int.self) { group in
    defer { group.cancelAll() }
    group.addTask(name: "work") { try await carrier.quote(for: 18) }
    group.addTask(name: "limit") {
      try await Task.sleep(for: limit)
      throw TooLate()
    }
    return try await group.next() ?? 0
  }
  return "\(carrier.name): \(price.map { "€ \($0)" } ?? "no answer")"
}

let clock = ContinuousClock()
let start = clock.now
let carriers = [Carrier(name: "Hare", delay: 0.03), Carrier(name: "Snail", delay: 1.2)]
let quotes = carriers.map { carrier in
  Task(name: "quote") { await quote(from: carrier, limit: .milliseconds(200)) }
}
for quote in quotes { print(await quote.value) }
print("after \((clock.now - start).formatted(.units(allowed: [.milliseconds])))")
