// Symptom: The carrier takes five text messages in each window of 150 ms, and has written that we
// send it far more than that at once.
// Looks at: what is sent to the carrier ("send")

import Foundation

struct TextMessage: Sendable {
  var recipient: String
  var body: String
}

/// The carrier counts what it gets in each of its windows.
actor Carrier {
  private let window: Duration
  private let start = ContinuousClock.now
  private var perWindow: [Int: Int] = [:]

  init(window: Duration) {
    self.window = window
  }

  func accept(_ message: TextMessage) {
    let index = Int((ContinuousClock.now - start) / window)
    perWindow[index, default: 0] += 1
  }

  var report: [(window: Int, count: Int)] {
    perWindow.sorted { $0.key < $1.key }.map { (window: $0.key, count: $0.value) }
  }
}

actor QuotaLimiter {
  private let limit: Int
  private let window: Duration
  private let clock = ContinuousClock()
  private var used = 0
  private var windowEnd: ContinuousClock.Instant

  init(limit: Int, window: Duration) {
    self.limit = limit
    self.window = window
    windowEnd = clock.now + window
  }

  /// Returns when one more message may be sent.
  func acquire() async throws {
    rollOver()
    if used >= limit {  // culprit
      try await clock.sleep(until: windowEnd)
      rollOver()
    }
    used += 1
  }

  private func rollOver() {
    let now = clock.now
    guard now >= windowEnd else { return }
    used = 0
    while windowEnd <= now { windowEnd += window }
  }
}

struct SmsService: Sendable {
  let limiter: QuotaLimiter
  let carrier: Carrier

  func send(_ message: TextMessage) async throws {
    try await limiter.acquire()
    await carrier.accept(message)
  }

  func sendAll(_ messages: [TextMessage]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for message in messages {
        group.addTask(name: "send") { try await send(message) }
      }
      try await group.waitForAll()
    }
  }
}

let window = Duration.milliseconds(150)
let carrier = Carrier(window: window)
let service = SmsService(limiter: QuotaLimiter(limit: 5, window: window), carrier: carrier)
let messages = (1...30).map { number in
  TextMessage(recipient: "+49 30 5550\(100 + number)", body: "Your parcel arrives today.")
}
try await service.sendAll(messages)
for (window, count) in await carrier.report {
  print("window \(window): \(count) messages")
}
