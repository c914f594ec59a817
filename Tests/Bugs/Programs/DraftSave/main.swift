// Symptom: I wrote in the train. Since the tunnel the document says "saving…" and does not save any
// more, although I have been online again for long.
// Looks at: the action that saves ("save")

import Foundation
import Varve

struct Draft {
  var text: String
}

final class Cloud {
  let isReachable = MutableProperty(true)
  private let queue = QueueScheduler(name: "cloud")

  func put(_ draft: Draft) -> SignalProducer<Int, Never> {
    SignalProducer(value: draft.text.count).delay(.milliseconds(10), on: queue)
  }
}

final class DocumentModel {
  let save: Action<Draft, Int, Never>
  let savedLength = MutableProperty(0)
  let status: Property<String>

  init(cloud: Cloud) {
    save = Action(named: "save") { draft in
      cloud.isReachable.producer
        .take(first: 1)
        .flatMap(.latest) { reachable -> SignalProducer<Int, Never> in
          guard reachable else { return .never }  // culprit
          return cloud.put(draft)
        }
    }
    savedLength <~ save.values
    status = save.isExecuting.map { $0 ? "saving…" : "saved" }
  }

  func type(_ text: String) { save.apply(Draft(text: text)).start() }
}

let cloud = Cloud()
let document = DocumentModel(cloud: cloud)
var text = ""
let words = "the train goes through a tunnel and comes out on the other side".split(separator: " ")
for (index, word) in words.enumerated() {
  cloud.isReachable.value = index < 5 || index > 7
  text += word + " "
  document.type(text)
  Thread.sleep(forTimeInterval: 0.05)
}
print("\(text.count) typed, \(document.savedLength.value) saved: \(document.status.value)")
