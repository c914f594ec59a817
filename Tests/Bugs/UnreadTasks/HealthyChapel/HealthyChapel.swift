// Symptom: none. Everybody who asks for a hymn while it is fetched waits for the one fetch, and a
// fetch that fails is forgotten, so that the next one tries again.
// Looks at: the fetch ("fetch")

import Foundation

enum LibraryError: Error {
  case closed
}

actor HymnLibrary {
  private(set) var fetches = 0

  func text(_ number: Int) async throws -> String {
    fetches += 1
    let isFirst = fetches == 1
    try await Task.sleep(for: .milliseconds(20))
    if isFirst { throw LibraryError.closed }
    return "Hymn \(number)"
  }
}

actor HymnBook {
  private enum Entry {
    case fetching(Task<String, any Error>)
    case text(String)
  }

  private var entries: [Int: Entry] = [:]
  private let library: HymnLibrary

  init(library: HymnLibrary) { self.library = library }

  func hymn(_ number: Int) async throws -> String {
    switch entries[number] {
    case .text(let text): return text
    case .fetching(let task): return try await task.value
    case nil: break
    }
    let task = Task(name: "fetch") { try await library.text(number) }
    entries[number] = .fetching(task)
    do {
      let text = try await task.value
      entries[number] = .text(text)
      return text
    } catch {
      entries[number] = nil
      throw error
    }
  }
}

let library = HymnLibrary()
let book = HymnBook(library: library)

func sing(_ number: Int) async -> String {
  do {
    return try await book.hymn(number)
  } catch {
    try? await Task.sleep(for: .milliseconds(30))
    return (try? await book.hymn(number)) ?? "silence"
  }
}

let singers = (1...5).map { _ in Task(name: "singer") { await sing(321) } }
var heard: [String] = []
for singer in singers { heard.append(await singer.value) }
print(heard, "fetched \(await library.fetches) times")
