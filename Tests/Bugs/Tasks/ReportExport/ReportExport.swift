// Symptom: "Export" freezes the whole application. The beach ball turns until it is killed.
// Looks at: the export ("export")

import Foundation

@MainActor
final class Document {
  var rows = (1...200).map { "row \($0)" }

  func snapshot() -> [String] { rows }
}

struct Exporter: Sendable {
  func export(_ document: Document) async -> String {
    let rows = await document.snapshot()
    try? await Task.sleep(for: .milliseconds(5))
    return rows.joined(separator: "\n")
  }
}

// Safety: written before the semaphore is signalled, read after.
final class Box<Value>: @unchecked Sendable {
  var value: Value?
}

@MainActor
final class ExportButton {
  let document = Document()

  /// A menu's action cannot be asynchronous.
  func pressed() -> Int {
    let result = Box<String>()
    let done = DispatchSemaphore(value: 0)
    Task(name: "export") { [document] in
      result.value = await Exporter().export(document)
      done.signal()
    }
    waitUntil(done)
    return result.value?.count ?? 0
  }

  private nonisolated func waitUntil(_ done: DispatchSemaphore) {
    done.wait()  // culprit
  }
}

let button = ExportButton()
try await Task.sleep(for: .milliseconds(20))
print("exported \(button.pressed()) characters")
