// Symptom: none. A vote takes a moment, a second tap meanwhile is refused, a vote without a
// connection says so, and the list of the poems reloads once after each vote.
// Looks at: vote (what the button does)
import Foundation
import Varve

enum VoteError: Error {
  case offline
}

final class Jury: Sendable {
  let isReachable = MutableProperty(true)
  let counts = MutableProperty<[String: Int]>(["Moor": 3, "Ebb": 5])
  private let network = QueueScheduler(name: "network")

  func send(vote poem: String) -> SignalProducer<Void, VoteError> {
    SignalProducer { [counts, isReachable] () -> Result<Void, VoteError> in
      guard isReachable.value else { return .failure(.offline) }
      counts.modify { $0[poem, default: 0] += 1 }
      return .success(())
    }
    .delay(.milliseconds(20), on: network)
  }

  func ranking() -> SignalProducer<[String], Never> {
    SignalProducer { [counts] in counts.value.sorted { $0.value > $1.value }.map(\.key) }
      .delay(.milliseconds(10), on: network)
  }
}

final class BallotModel: Sendable {
  let chosen = MutableProperty<String?>(nil)
  let message = MutableProperty("")
  let ranking = MutableProperty<[String]>([])
  let vote: Action<String, Int, VoteError>

  init(_ jury: Jury) {
    vote = Action(enabledIf: chosen.map { $0 != nil }, named: "vote") { poem in
      jury.send(vote: poem)
        .then(jury.counts.producer.map { $0[poem] ?? 0 }.take(first: 1))
    }
    ranking <~ vote.completed.flatMap(.latest) { jury.ranking() }
    message <~ vote.values.map { "the poem has \($0) votes" }
    message <~ vote.errors.map { _ in "no connection" }
  }

  func press() {
    guard let poem = chosen.value else { return }
    vote.apply(poem).start()
  }
}

let jury = Jury()
let ballot = BallotModel(jury)
ballot.message.signal.observeValues { print($0) }
ballot.ranking.signal.observeValues { print($0) }
ballot.vote.disabledErrors.observeValues { print("one at a time") }
for poem in ["Moor", "Ebb", "Moor", "Moor"] {
  ballot.chosen.value = poem
  jury.isReachable.value = poem == "Moor"
  ballot.press()
  if poem == "Ebb" { ballot.press() }
  Thread.sleep(forTimeInterval: 0.15)
}
print("counted: \(jury.counts.value.values.reduce(0, +) - 8) votes")
