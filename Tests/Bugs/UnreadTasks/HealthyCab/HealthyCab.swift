// Symptom: None. Quick firms answer at once, and the slow one is left out after 150 ms.
// Looks at: the offer of a quick firm ("offer of Nord")

import Foundation

struct Firm: Sendable {
  let name: String
  let answersAfter: Duration
  let cents: Int
}

enum OfferError: Error {
  case tooLate
  case noCar
}

struct Dispatch: Sendable {
  func ask(_ firm: Firm) async throws -> Int {
    try await Task.sleep(for: firm.answersAfter)
    guard firm.cents > 0 else { throw OfferError.noCar }
    return firm.cents
  }
}

func within<Result: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    defer { group.cancelAll() }
    group.addTask(name: "work") { try await work() }
    group.addTask(name: "limit") {
      try await Task.sleep(for: limit)
      throw OfferError.tooLate
    }
    guard let result = try await group.next() else { throw CancellationError() }
    return result
  }
}

let firms = [
  Firm(name: "Nord", answersAfter: .milliseconds(15), cents: 2_190),
  Firm(name: "Stern", answersAfter: .milliseconds(40), cents: 1_980),
  Firm(name: "Wald", answersAfter: .milliseconds(20), cents: 0),
  Firm(name: "Hafen", answersAfter: .seconds(20), cents: 1_700),
]
let dispatch = Dispatch()
let offers = firms.map { firm in
  Task(name: "offer of \(firm.name)") { () -> String in
    do {
      let cents = try await within(.milliseconds(150)) { try await dispatch.ask(firm) }
      return "\(firm.name): \(cents) cents"
    } catch OfferError.tooLate {
      return "\(firm.name): no answer"
    } catch {
      return "\(firm.name): \(error)"
    }
  }
}
for offer in offers { print(await offer.value) }
