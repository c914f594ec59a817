// Symptom: Since offers of firms that do not answer within half a second are left out, every
// offer takes half a second, also those of firms that answer at once.
// Looks at: the offer of a quick firm ("offer of Nord")

import Foundation

struct Firm: Sendable {
  let name: String
  let answersAfter: Duration
  let cents: Int
}

struct Offer: Sendable {
  let firm: String
  let cents: Int
}

struct Dispatch: Sendable {
  func ask(_ firm: Firm) async -> Offer? {
    do {
      try await Task.sleep(for: firm.answersAfter)
    } catch {
      return nil
    }
    return Offer(firm: firm.name, cents: firm.cents)
  }
}

/// Does some work, and gives it up when it takes too long.
func within<Result: Sendable>(
  _ limit: Duration, _ work: @escaping @Sendable () async -> Result?
) async -> Result? {
  await withTaskGroup(of: Result?.self) { group in
    group.addTask(name: "work") { await work() }
    group.addTask(name: "limit") {
      try? await Task.sleep(for: limit)
      return nil
    }
    return await group.next() ?? nil  // culprit
  }
}

let firms = [
  Firm(name: "Nord", answersAfter: .milliseconds(15), cents: 2_190),
  Firm(name: "Stern", answersAfter: .milliseconds(40), cents: 1_980),
  Firm(name: "Hafen", answersAfter: .seconds(20), cents: 1_700),
]
let dispatch = Dispatch()
let clock = ContinuousClock()
let begin = clock.now
let offers = firms.dropLast().map { firm in
  Task(name: "offer of \(firm.name)") { () -> String in
    let offer = await within(.milliseconds(500)) { await dispatch.ask(firm) }
    let time = (clock.now - begin).formatted(.units(allowed: [.milliseconds]))
    return "\(firm.name): \(offer.map { "\($0.cents) cents" } ?? "no offer") after \(time)"
  }
}
for offer in offers { print(await offer.value) }
