// Symptom: None; all boxes are read at once, whichever comes first, and each of them is filed.
// Looks at: the documents that are filed ("filed")

import Foundation
import Varve

struct Box: Sendable {
  let shelf: String
  let documents: Int
  let isSealed: Bool
}

struct Document: Sendable {
  let shelf: String
  let page: Int
}

final class Scanner: Sendable {
  private let queue: QueueScheduler

  init(number: Int) { queue = QueueScheduler(name: "scanner \(number)") }

  func scan(_ box: Box) -> SignalProducer<Document, Never> {
    SignalProducer { [queue] observer, lifetime in
      lifetime += queue.schedule {
        for page in 1...box.documents where !lifetime.hasEnded {
          Thread.sleep(forTimeInterval: 0.004)
          observer.send(value: Document(shelf: box.shelf, page: page))
        }
        observer.sendCompleted()
      }
    }
  }
}

final class Archivist: Sendable {
  private let scanners = (1...3).map(Scanner.init(number:))
  let filed = MutableProperty<[String: Int]>([:])

  func file(_ boxes: [Box]) -> SignalProducer<Document, Never> {
    let (scanners, filed) = (scanners, filed)
    return SignalProducer(boxes.enumerated().map { $0 })
      .filter { !$0.element.isSealed }
      .flatMap(.merge) { index, box in scanners[index % scanners.count].scan(box) }
      .on(value: { document in filed.modify { $0[document.shelf, default: 0] += 1 } })
      .named("filed")
  }
}

let archivist = Archivist()
let boxes = [
  Box(shelf: "A", documents: 14, isSealed: false),
  Box(shelf: "B", documents: 3, isSealed: false),
  Box(shelf: "C", documents: 5, isSealed: true),
  Box(shelf: "D", documents: 8, isSealed: false),
  Box(shelf: "E", documents: 6, isSealed: false),
]
let result = archivist.file(boxes).collect().waitForLast()
for (shelf, count) in archivist.filed.value.sorted(by: { $0.key < $1.key }) {
  print("shelf \(shelf): \(count)")
}
if case .success(let documents)? = result { print("\(documents.count) documents in all") }
