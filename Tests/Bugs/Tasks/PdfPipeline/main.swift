// Symptom: The conversion of a single document works. When several come in at once, none of them
// is ever finished.
// Looks at: the conversions ("convert")

import Foundation

struct Document: Sendable {
  var name: String
  var pages: Int
}

/// Limits how much is done at the same time, so that the machine has enough memory.
actor Slots {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  nonisolated func run<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    await acquire()
    do {
      let result = try await work()
      await release()
      return result
    } catch {
      await release()
      throw error
    }
  }

  private func acquire() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func release() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

struct Converter: Sendable {
  let slots: Slots

  func convert(_ document: Document) async throws -> Int {
    try await slots.run {
      try await unpack(document)
      return try await withThrowingTaskGroup(of: Int.self) { group in
        for page in 1...document.pages {
          group.addTask(name: "page") { try await render(page, of: document) }
        }
        return try await group.reduce(0, +)
      }
    }
  }

  private func unpack(_ document: Document) async throws {
    try await Task.sleep(for: .milliseconds(30))
    print("\(document.name): \(document.pages) pages")
  }

  private func render(_ page: Int, of document: Document) async throws -> Int {
    try await slots.run {  // culprit
      try await Task.sleep(for: .milliseconds(10))
      return 14_000 + page * 100
    }
  }
}

let converter = Converter(slots: Slots(3))
let single = try await converter.convert(Document(name: "letter", pages: 2))
print("letter: \(single) bytes")

let incoming = [
  Document(name: "contract", pages: 6),
  Document(name: "manual", pages: 9),
  Document(name: "minutes", pages: 3),
  Document(name: "report", pages: 4),
]
try await withThrowingTaskGroup(of: (String, Int).self) { group in
  for document in incoming {
    group.addTask(name: "convert") { (document.name, try await converter.convert(document)) }
  }
  for try await (name, bytes) in group {
    print("\(name): \(bytes) bytes")
  }
}
