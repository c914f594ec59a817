// Symptom: In the quiz one question could not be loaded. Since then there is no new question,
// though the host goes on with the rounds.
// Looks at: question (the text on the players' phones)
import Foundation
import Varve

struct Missing: Error {
  let number: Int
}

final class QuestionStore {
  private let network = QueueScheduler(name: "questions")

  func question(_ number: Int) -> SignalProducer<String, Missing> {
    SignalProducer { [network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(15)) {
        guard number != 3 else { return observer.send(error: Missing(number: number)) }
        observer.send(value: "question \(number)")
        observer.sendCompleted()
      }
    }
  }
}

final class Quiz {
  let question: Signal<String, Never>
  private let (rounds, host) = Signal<Int, Never>.pipe()

  init(_ store: QuestionStore) {
    question =
      rounds
      .flatMap(.latest) { store.question($0) }
      .flatMapError { _ in SignalProducer<String, Never>.empty }  // culprit
      .map { $0 + "?" }
  }

  func next(_ round: Int) { host.send(value: round) }
}

let quiz = Quiz(QuestionStore())
quiz.question.named("question").observeValues { print($0) }
for round in 1...7 {
  print("round \(round)")
  quiz.next(round)
  Thread.sleep(forTimeInterval: 0.06)
}
