// Symptom: I cancel the question for a medicine, and the app goes on asking the wholesaler, quicker than
// before, until all its attempts are used up.
// Looks at: the question for a medicine ("lookup")

import Foundation

struct Stock: Sendable {
  let medicine: String
  let packs: Int
}

enum WholesalerError: Error {
  case busy
}

actor Wholesaler {
  private(set) var questions = 0

  func stock(of medicine: String) async throws -> Stock {
    questions += 1
    try await Task.sleep(for: .milliseconds(15))
    guard medicine.count % 2 == 0 else { throw WholesalerError.busy }
    return Stock(medicine: medicine, packs: medicine.count)
  }
}

/// Tries again until it works, or there are no attempts left.
func retrying<Value>(
  upTo attempts: Int, pause: Duration, _ operation: () async throws -> Value
) async -> Value? {
  for _ in 1...attempts {
    if let value = try? await operation() { return value }  // culprit
    try? await Task.sleep(for: pause)
  }
  return nil
}

@MainActor
final class StockViewModel {
  private(set) var text = ""
  private let wholesaler: Wholesaler
  private var lookup: Task<Void, Never>?

  init(wholesaler: Wholesaler) { self.wholesaler = wholesaler }

  func look(for medicine: String) {
    lookup?.cancel()
    text = "asking for \(medicine) …"
    lookup = Task(name: "lookup") { [wholesaler] in
      let stock = await retrying(upTo: 400, pause: .milliseconds(25)) {
        try await wholesaler.stock(of: medicine)
      }
      text = stock.map { "\($0.packs) packs of \($0.medicine)" } ?? "no answer for \(medicine)"
    }
  }

  func cancel() {
    lookup?.cancel()
    text = "cancelled"
  }
}

let wholesaler = Wholesaler()
let model = StockViewModel(wholesaler: wholesaler)
model.look(for: "ibuprofen!")
try await Task.sleep(for: .milliseconds(80))
print(model.text)
model.look(for: "metformin")
try await Task.sleep(for: .milliseconds(150))
let before = await wholesaler.questions
print("\(model.text) \(before) questions so far")
model.cancel()
try await Task.sleep(for: .milliseconds(150))
print("\(model.text); \(await wholesaler.questions - before) questions since")
