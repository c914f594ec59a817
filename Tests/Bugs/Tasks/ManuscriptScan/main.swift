// Symptom: All pages of my manuscript are read in, but "Reading" stays and I cannot go on.
// Looks at: the importer ("importer")

import Foundation

struct Page: Sendable {
  var number: Int
  var text: String

  var words: Int { text.split(separator: " ").count }
}

/// Recognizes the text of the pages, one after the other.
struct TextRecognizer: Sendable {
  func read(_ number: Int) async -> Page {
    try? await Task.sleep(for: .milliseconds(15))
    let text = (0...number % 7).map { "word\($0)" }.joined(separator: " ")
    return Page(number: number, text: text)
  }
}

struct Manuscript: Sendable {
  let pageCount: Int
  let recognizer = TextRecognizer()

  /// The pages, as soon as they are read.
  func pages() -> AsyncStream<Page> {
    AsyncStream { continuation in
      let reading = Task(name: "recognizer") {
        for number in 1...pageCount {
          continuation.yield(await recognizer.read(number))  // culprit
        }
      }
      continuation.onTermination = { _ in reading.cancel() }
    }
  }
}

@MainActor
final class ImportSheet {
  private(set) var words = 0
  var title = "" {
    didSet { print(title) }
  }

  func run(_ manuscript: Manuscript) async {
    title = "Reading \(manuscript.pageCount) pages …"
    for await page in manuscript.pages() {
      words += page.words
      print("page \(page.number): \(page.words) words")
    }
    title = "Ready: \(words) words"
  }
}

let sheet = ImportSheet()
let importer = Task(name: "importer") {
  await sheet.run(Manuscript(pageCount: 12))
}
await importer.value
print("Continue")
