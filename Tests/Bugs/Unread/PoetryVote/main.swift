// Symptom: I can vote for one poem. After that the button stays grey for the rest of the evening.
// Looks at: vote (what the button does)
import Foundation
import Varve

struct Offline: Error {}

final class Jury: Sendable {
  let counts = MutableProperty<[String: Int]>(["Moor": 3, "Ebb": 5])
  private let network = QueueScheduler(name: "network")

  func send(vote poem: String) -> SignalProducer<Void, Offline> {
    SignalProducer { [counts] in counts.modify { $0[poem, default: 0] += 1 } }
      .delay(.milliseconds(10), on: network)
      .promoteError(Offline.self)
  }
}

final class BallotModel: Sendable {
  let chosen = MutableProperty<String?>(nil)
  let message = MutableProperty("")
  let vote: Action<String, Int, Offline>

  init(_ jury: Jury) {
    vote = Action(enabledIf: chosen.map { $0 != nil }, named: "vote") { poem in
      jury.send(vote: poem)
        .then(jury.counts.producer.map { $0[poem] ?? 0 })  // culprit
    }
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
ballot.vote.isEnabled.producer.skipRepeats().startWithValues { print($0 ? "black" : "grey") }
for poem in ["Moor", "Ebb", "Moor"] {
  ballot.chosen.value = poem
  ballot.press()
  Thread.sleep(forTimeInterval: 0.1)
}
print("counted: \(jury.counts.value.values.reduce(0, +) - 8) of 3 votes")
