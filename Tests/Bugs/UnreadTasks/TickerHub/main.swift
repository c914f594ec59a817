// Symptom: As soon as one client is on a bad line, everybody gets the quotes as much as a second
// late.
// Looks at: the feed that gives the quotes to the clients ("feed")

import Foundation

struct Quote: Sendable {
  var symbol: String
  var cents: Int
  var time: ContinuousClock.Instant
}

/// The connection of one client. It takes a while until its line has taken a message.
actor Session {
  let name: String
  private let line: Duration
  private var received = 0
  private var worst = Duration.zero

  init(name: String, line: Duration) {
    self.name = name
    self.line = line
  }

  func send(_ quote: Quote) async {
    try? await Task.sleep(for: line)
    received += 1
    worst = max(worst, ContinuousClock.now - quote.time)
  }

  var summary: String {
    "\(name): \(received) quotes, at worst \(Int(worst / .milliseconds(1))) ms late"
  }
}

actor TickerHub {
  private var sessions: [String: Session] = [:]

  func connect(_ session: Session) {
    sessions[session.name] = session
  }

  func disconnect(_ name: String) {
    sessions[name] = nil
  }

  func publish(_ quote: Quote) async {
    for session in sessions.values {
      await session.send(quote)  // culprit
    }
  }
}

/// The exchange does not wait for us: it stamps a quote when it has one.
func exchange(count: Int) -> AsyncStream<Quote> {
  let (quotes, continuation) = AsyncStream.makeStream(of: Quote.self)
  Task(name: "exchange") {
    let symbols = ["ACME", "BOLT", "CRUX"]
    for number in 0..<count {
      let symbol = symbols[number % symbols.count]
      let quote = Quote(symbol: symbol, cents: 4_000 + number, time: .now)
      continuation.yield(quote)
      try? await Task.sleep(for: .milliseconds(20))
    }
    continuation.finish()
  }
  return quotes
}

let hub = TickerHub()
let sessions = [
  Session(name: "desk", line: .milliseconds(1)),
  Session(name: "office", line: .milliseconds(2)),
  Session(name: "train", line: .milliseconds(70)),
]
for session in sessions { await hub.connect(session) }

let feed = Task(name: "feed") {
  for await quote in exchange(count: 20) {
    await hub.publish(quote)
  }
}
await feed.value
for session in sessions { print(await session.summary) }
