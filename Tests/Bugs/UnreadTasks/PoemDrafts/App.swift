// Symptom: "Rain/Snow" was "saved" when I closed its window, and is not in the list the next day.
// No message tells why. My other poems are all there.
// Looks at: the poem that is saved ("save")

import Foundation

@MainActor
final class EditorWindow {
  private let store: DraftStore
  private var draft: Draft
  private(set) var status = "edited"

  init(title: String, store: DraftStore) {
    draft = Draft(title: title, text: "")
    self.store = store
  }

  func type(_ line: String) {
    draft.text += line + "\n"
    status = "edited"
  }

  func close() {
    let draft = draft
    Task(name: "save") {  // culprit
      try await store.save(draft)
    }
    status = "saved"
    print("\(draft.title): \(status)")
  }
}

@main
struct App {
  @MainActor
  static func main() async throws {
    let store = try DraftStore()
    let poems = [
      "Autumn": "The leaves are letters nobody sent.",
      "Harbour": "Ropes, and the patience of ropes.",
      "Rain/Snow": "At one degree it cannot decide.",
    ]
    for (title, line) in poems.sorted(by: { $0.key < $1.key }) {
      let window = EditorWindow(title: title, store: store)
      window.type(line)
      window.close()
      try await Task.sleep(for: .milliseconds(30))
    }
    print("the next day:")
    for draft in try await store.all() { print("  \(draft.title)") }
    try await store.removeAll()
  }
}
