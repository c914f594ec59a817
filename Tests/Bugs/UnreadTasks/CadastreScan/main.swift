// Symptom: I scan a deed of the land registry, and in the document that comes out the pages are all
// there, but page 4 with the map comes last, and page 2 first.
// Looks at: the making of the document ("document")

import Foundation

struct Sheet: Sendable {
  let number: Int
  let hasMap: Bool
  let words: Int
}

struct Page: Sendable, CustomStringConvertible {
  let number: Int
  let text: String
  var description: String { "page \(number): \(text)" }
}

extension Collection where Element: Sendable {
  /// Transforms all elements at the same time.
  func concurrentMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) async -> Result
  ) async -> [Result] {
    await withTaskGroup(of: Result.self) { group in
      for element in self {
        group.addTask { await transform(element) }
      }
      var results: [Result] = []
      results.reserveCapacity(count)
      for await result in group { results.append(result) }  // culprit
      return results
    }
  }
}

/// Reads the letters of a sheet; maps and many words take it longer.
struct Reader: Sendable {
  func read(_ sheet: Sheet) async -> Page {
    let time = sheet.words / 2 + (sheet.hasMap ? 120 : 0)
    try? await Task.sleep(for: .milliseconds(time))
    return Page(
      number: sheet.number, text: sheet.hasMap ? "the map" : "\(sheet.words) words")
  }
}

struct Document: Sendable {
  let title: String
  let pages: [Page]
}

actor Registry {
  private let reader: Reader
  private var documents: [String: Document] = [:]

  init(reader: Reader) { self.reader = reader }

  func scan(_ sheets: [Sheet], title: String) async -> Document {
    let pages = await sheets.concurrentMap { [reader] in await reader.read($0) }
    let document = Document(title: title, pages: pages)
    documents[title] = document
    return document
  }
}

let registry = Registry(reader: Reader())
let sheets = [
  Sheet(number: 1, hasMap: false, words: 130),
  Sheet(number: 2, hasMap: false, words: 10),
  Sheet(number: 3, hasMap: false, words: 70),
  Sheet(number: 4, hasMap: true, words: 60),
  Sheet(number: 5, hasMap: false, words: 200),
]
let scan = Task(name: "document") {
  let deed = await registry.scan(sheets, title: "Deed 17/204")
  print(deed.title)
  for page in deed.pages { print("  \(page)") }
}
await scan.value
