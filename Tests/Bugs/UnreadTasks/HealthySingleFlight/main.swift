// Symptom: None. Whoever asks for the keys of an issuer while they are fetched gets the same ones;
// after a failure they are fetched again, and one who hangs up takes nothing from the others.
// Looks at: the fetch ("fetch eu")

import Foundation

struct IssuerDown: Error {}

actor Issuer {
  private(set) var fetches: [String: Int] = [:]

  func keys(of region: String) async throws -> [String] {
    fetches[region, default: 0] += 1
    let fetch = fetches[region, default: 0]
    try await Task.sleep(for: .milliseconds(40))
    if region == "us" && fetch == 1 { throw IssuerDown() }
    return ["\(region)-a\(fetch)", "\(region)-b\(fetch)"]
  }
}

/// Loads the value of a key once, for however many ask.
actor SingleFlight<Key: Hashable & Sendable, Value: Sendable> {
  private let load: @Sendable (Key) async throws -> Value
  private var loaded: [Key: Value] = [:]
  private var flights: [Key: Task<Value, any Error>] = [:]

  init(load: @escaping @Sendable (Key) async throws -> Value) { self.load = load }

  func value(for key: Key) async throws -> Value {
    if let value = loaded[key] { return value }
    if let flight = flights[key] { return try await flight.value }
    let flight = Task(name: "fetch \(key)") { [load] in
      try await load(key)
    }
    flights[key] = flight
    defer { flights[key] = nil }
    let value = try await flight.value
    loaded[key] = value
    return value
  }
}

let issuer = Issuer()
let keys = SingleFlight { (region: String) in try await issuer.keys(of: region) }

func ask(_ region: String, _ number: Int) -> Task<[String], any Error> {
  Task(name: "caller \(region) \(number)") { try await keys.value(for: region) }
}

let callers = (1...6).map { ask("eu", $0) }
try await Task.sleep(for: .milliseconds(10))
callers[0].cancel()
for caller in callers { print(try await caller.value) }

for attempt in 1...2 {
  let callers = (1...3).map { ask("us", $0) }
  for caller in callers {
    switch await caller.result {
    case .success(let keys): print("attempt \(attempt): \(keys)")
    case .failure: print("attempt \(attempt): the issuer is down")
    }
  }
}
print("fetches:", await issuer.fetches.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
