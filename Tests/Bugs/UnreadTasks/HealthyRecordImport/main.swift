// Symptom: None; the records come from a reader with callbacks, and the import ends with the file.
// Looks at: the import ("import")

import Foundation

/// Reads a file of records on its own queue.
final class RecordReader: Sendable {
  private let queue = DispatchQueue(label: "reader")

  func read(
    _ text: String, onRecord: @escaping @Sendable (String) -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) {
    queue.async {
      for line in text.split(separator: "\n") {
        Thread.sleep(forTimeInterval: 0.005)
        onRecord(String(line))
      }
      onEnd()
    }
  }

  func records(in text: String) -> AsyncStream<String> {
    AsyncStream { continuation in
      read(text) { record in
        continuation.yield(record)
      } onEnd: {
        continuation.finish()
      }
    }
  }
}

actor RecordShelf {
  private var titles: Set<String> = []

  func add(_ text: String, with reader: RecordReader) async -> String {
    var doubles = 0
    for await title in reader.records(in: text) {
      if !titles.insert(title).inserted { doubles += 1 }
    }
    return "\(titles.count) records, \(doubles) twice"
  }
}

let list = (1...30).map { "Symphony № \($0 % 9 + 1)" }.joined(separator: "\n")
let shelf = RecordShelf()
let adding = Task(name: "import") { await shelf.add(list, with: RecordReader()) }
print("importing …")
print(await adding.value)
