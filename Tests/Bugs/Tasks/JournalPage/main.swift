// Symptom: I write a line in my journal and close the page. When I open it again, the line is not
// there. If I leave the page open for a moment it is kept.
// Looks at: the saving of the page

import Foundation

actor JournalStore {
  private var pages: [String: String] = [:]

  func write(_ text: String, to page: String) async throws {
    try await Task.sleep(for: .milliseconds(40))
    pages[page] = text
    print("saved \(page)")
  }

  func text(of page: String) -> String {
    pages[page] ?? "(empty)"
  }
}

@MainActor
final class PageEditor {
  private let page: String
  private let store: JournalStore
  private var saving: Task<Void, Never>?
  var text = ""

  init(page: String, store: JournalStore) {
    self.page = page
    self.store = store
  }

  func close() {
    let (page, store, text) = (page, store, text)
    saving = Task {
      do {
        try await store.write(text, to: page)
      } catch is CancellationError {
        return
      } catch {
        print("could not save \(page): \(error)")
      }
    }
  }

  deinit {
    saving?.cancel()  // culprit
  }
}

let store = JournalStore()

@MainActor
func writeAndClose(_ line: String, on page: String) {
  let editor = PageEditor(page: page, store: store)
  editor.text = line
  editor.close()
}

for (page, line) in [("Monday", "Rain. Baked bread."), ("Tuesday", "First swallow of the year.")] {
  writeAndClose(line, on: page)
  try await Task.sleep(for: .milliseconds(120))
  print("\(page): \(await store.text(of: page))")
}
