// Symptom: I typed one sentence into the shared document. Its history of versions goes on growing
// while I only look at it: dozens of versions, all with the same text.
// Looks at: history (the list of versions)
import Foundation
import Varve

struct Document {
  var text: String
  var revision: Int
}

final class DocumentServer: Sendable {
  let history = MutableProperty<[String]>([], named: "history")
  private let network = QueueScheduler(name: "documents")

  /// Keeps the document, and answers with what it has kept.
  func store(_ document: Document) -> SignalProducer<Document, Never> {
    SignalProducer { [history] in
      var kept = document
      kept.revision = history.modify { versions -> Int in
        versions.append(document.text)
        return versions.count
      }
      return kept
    }
    .start(on: network)
  }
}

final class EditorModel {
  let document = MutableProperty(Document(text: "", revision: 0))
  let status = MutableProperty("new")
  private let typing = QueueScheduler(name: "typing")

  init(_ server: DocumentServer) {
    document.signal
      .debounce(.milliseconds(10), on: typing)
      .filter { !$0.text.isEmpty }
      .flatMap(.latest) { server.store($0) }
      .observeValues { [document, status] stored in
        status.value = "saved as version \(stored.revision)"
        document.value = stored  // culprit
      }
  }

  func type(_ words: String) { document.modify { $0.text += words } }
}

let server = DocumentServer()
let editor = EditorModel(server)
for words in ["We meet ", "on Tuesday ", "at ten."] {
  editor.type(words)
  Thread.sleep(forTimeInterval: 0.004)
}
for _ in 0..<4 {
  Thread.sleep(forTimeInterval: 0.15)
  print("\(editor.status.value), \(server.history.value.count) in the history")
}
