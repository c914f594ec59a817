// Symptom: None. A vote counts once, however often one taps; the button shakes at taps that come while
// the vote is on its way. A vote for the next question works again.
// Looks at: votes (the counted votes)

import Foundation
import Varve

enum VoteError: Error {
  case closed
}

final class BallotBox {
  let votes: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private let network = QueueScheduler(name: "ballots")

  init() { (votes, input) = Signal.pipe(named: "votes") }

  func cast(_ vote: String, isOpen: Bool) -> SignalProducer<String, VoteError> {
    SignalProducer { [input, network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(25)) {
        guard isOpen else { return observer.send(error: .closed) }
        input.send(value: vote)
        observer.send(value: "You voted for \(vote)")
        observer.sendCompleted()
      }
    }
  }
}

final class BallotModel {
  let isOpen = MutableProperty(true)
  let message: MutableProperty<String>
  let shakes = MutableProperty(0)
  let vote: Action<String, String, VoteError>

  init(box: BallotBox) {
    let message = MutableProperty("")
    self.message = message
    vote = Action(state: isOpen) { isOpen, name in box.cast(name, isOpen: isOpen) }
    message <~ vote.values
    message <~ vote.errors.map { _ in "The vote is closed" }
    vote.disabledErrors.observeValues { [shakes] in shakes.modify { $0 += 1 } }
  }

  func tap(_ name: String) { vote.apply(name).start() }
}

let box = BallotBox()
let counted = Property(initial: 0, then: box.votes.scan(0) { count, _ in count + 1 })
let model = BallotModel(box: box)
model.message.signal.observeValues { print($0) }
for question in ["larger pond", "new benches"] {
  for _ in 1...3 {
    model.tap(question)
    Thread.sleep(forTimeInterval: 0.005)
  }
  Thread.sleep(forTimeInterval: 0.08)
}
model.isOpen.value = false
model.tap("longer hours")
Thread.sleep(forTimeInterval: 0.08)
print("counted: \(counted.value), shakes: \(model.shakes.value)")
