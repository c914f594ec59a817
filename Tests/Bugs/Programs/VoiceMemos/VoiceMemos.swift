// Symptom: The text of my first memo was there at once. Of all the others that I recorded after it
// there is only the sound.
// Looks at: texts (the lines below the memos)
import Foundation
import Varve

struct Memo: Sendable {
  let title: String
  let words: [String]
}

struct Hypothesis: Sendable {
  let title: String
  let text: String
  let isFinal: Bool
}

// Sends what it has understood so far, and goes on to improve what is final already.
final class Recogniser: Sendable {
  private let speech = QueueScheduler(name: "speech")

  func transcribe(_ memo: Memo) -> SignalProducer<Hypothesis, Never> {
    let rounds = (1...memo.words.count + 2).map { count in
      Hypothesis(
        title: memo.title, text: memo.words.prefix(count).joined(separator: " "),
        isFinal: count >= memo.words.count)
    }
    return SignalProducer.interval(rounds, interval: .milliseconds(6), on: speech)
  }
}

final class MemoList {
  let texts = MutableProperty<[String: String]>([:])
  private let (memos, record) = Signal<Memo, Never>.pipe()

  init(_ recogniser: Recogniser) {
    texts
      <~ memos
      .filter { !$0.words.isEmpty }
      .flatMap(.concat) { recogniser.transcribe($0) }
      .filter { $0.isFinal }
      .take(first: 1)  // culprit
      .scan(into: [String: String]()) { $0[$1.title] = $1.text }
  }

  func stop(_ title: String, _ text: String) {
    record.send(value: Memo(title: title, words: text.split(separator: " ").map(String.init)))
  }
}

let list = MemoList(Recogniser())
list.texts.signal.named("texts").observeValues { texts in
  print(texts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: " · "))
}
list.stop("Memo 1", "ring the plumber on Monday")
Thread.sleep(forTimeInterval: 0.15)
list.stop("Memo 2", "the tap drips again")
Thread.sleep(forTimeInterval: 0.15)
list.stop("Memo 3", "seals are in the cellar")
Thread.sleep(forTimeInterval: 0.15)
print("with text: \(list.texts.value.count) of 3")
