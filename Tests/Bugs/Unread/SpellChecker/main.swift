// Symptom: The red underlines come while I write. After the train went through a tunnel there are
// none any more, though I am online again and go on writing nonsense.
// Looks at: the misspelled words ("underlined")

import Foundation
import Varve

struct Offline: Error {}

final class WordList: Sendable {
  let isReachable = MutableProperty(true)
  private let known: Set<String> = ["the", "cat", "sat", "on", "a", "mat", "and", "slept"]
  private let network = QueueScheduler(name: "network")

  func misspelled(in text: String) -> SignalProducer<[String], Offline> {
    guard isReachable.value else {
      return SignalProducer(error: Offline()).delay(.milliseconds(5), on: network)
    }
    let wrong = text.split(separator: " ").map(String.init).filter { !known.contains($0) }
    return SignalProducer(value: wrong).delay(.milliseconds(15), on: network)
  }
}

extension SignalProducer where Value: Sendable, Failure == Never {
  func whenTypingRests() -> SignalProducer {
    debounce(.milliseconds(20), on: QueueScheduler(name: "typing"))
  }
}

final class EditorModel {
  let text = MutableProperty("")
  let underlined: Property<[String]>

  init(_ words: WordList) {
    let checked = text.producer
      .whenTypingRests()
      .filter { !$0.isEmpty }
      .flatMap(.latest) { words.misspelled(in: $0) }
      .flatMapError { _ in SignalProducer<[String], Never>(value: []) }  // culprit
    underlined = Property(initial: [], then: checked)
  }
}

let wordList = WordList()
let editor = EditorModel(wordList)
editor.underlined.producer.skipRepeats().named("underlined").startWithValues {
  print("underlined:", $0)
}

let write = { (words: [String]) in
  for word in words {
    editor.text.value += word + " "
    print("text:", editor.text.value)
    Thread.sleep(forTimeInterval: 0.09)
  }
}

write(["the", "catt", "sat"])
wordList.isReachable.value = false
write(["on"])
wordList.isReachable.value = true
write(["a", "matt", "andd", "slept"])
print("underlined at the end:", editor.underlined.value)
