// Symptom: A carrier that does not answer within 150 ms should be left out. But the form waits as
// long as the slowest carrier needs, and then says that it did not answer in time.
// Looks at: the question to the slow carrier ("quote Snail")

import Foundation

struct TooLate: Error {}

func within<Value: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask(name: "work") { try await work() }
    group.addTask(name: "limit") {
      try await Task.sleep(for: limit)
      throw TooLate()
    }
    guard let first = try await group.next() else { throw TooLate() }
    return first
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

  func ask(for kilos: Int, answer: @escaping @Sendable (Int) -> Void) {
    line.asyncAfter(deadline: .now() + delay) { [name] in answer(kilos * name.count) }
  }

  func quote(for kilos: Int) async -> Int {
    await withCheckedContinuation { quote in  // culprit
      ask(for: kilos) { quote.resume(returning: $0) }
    }
  }
}

struct QuoteForm: Sendable {
  func line(of carrier: Carrier, kilos: Int) async -> String {
    let clock = ContinuousClock()
    let start = clock.now
    let price = try? await within(.milliseconds(150)) { await carrier.quote(for: kilos) }
    let time = (clock.now - start).formatted(.units(allowed: [.milliseconds]))
    return "\(carrier.name): \(price.map { "€ \($0)" } ?? "no answer") after \(time)"
  }
}

let form = QuoteForm()
let carriers = [Carrier(name: "Hare", delay: 0.03), Carrier(name: "Snail", delay: 1.2)]
let quotes = carriers.map { carrier in
  Task(name: "quote \(carrier.name)") { await form.line(of: carrier, kilos: 18) }
}
for quote in quotes { print(await quote.value) }
