// Symptom: I quit the editor and press "Save". It stands there, and I have to kill it.
// Looks at: the saving of the open documents ("save all")

import Foundation

@MainActor
final class Document {
  let name: String
  private(set) var isEdited = false
  private var text = ""

  init(_ name: String) { self.name = name }

  func type(_ words: String) {
    text += words
    isEdited = true
  }

  func save() async {
    let bytes = Array(text.utf8)
    await Disk.write(bytes, to: name)
    isEdited = false
  }
}

enum Disk {
  static func write(_ bytes: [UInt8], to name: String) async {
    try? await Task.sleep(for: .milliseconds(20))
    print("\(name): \(bytes.count) bytes")
  }
}

@MainActor
final class Editor {
  private var documents: [Document] = []

  func open(_ name: String) -> Document {
    let document = Document(name)
    documents.append(document)
    return document
  }

  /// The system calls this when the user quits; after it has returned the process ends.
  func applicationWillTerminate() {
    let edited = documents.filter(\.isEdited)
    let saved = DispatchSemaphore(value: 0)
    Task(name: "save all") {
      for document in edited { await document.save() }
      saved.signal()
    }
    saved.wait()  // culprit
  }
}

let editor = Editor()
let letter = editor.open("letter.txt")
let list = editor.open("list.txt")
letter.type("Dear Ms Okafor, ")
await letter.save()
list.type("milk, bread")
letter.type("thank you for the plums.")
print("quit")
editor.applicationWillTerminate()
print("all is saved, goodbye")
