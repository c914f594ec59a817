// Symptom: None; a question can be answered, and it goes away when what asks is cancelled.
// Looks at: the question ("question")

import Foundation

@MainActor
final class ConfirmSheet {
  private var waiting: CheckedContinuation<Bool, Never>?
  private(set) var isOnScreen = false

  func ask() async -> Bool {
    isOnScreen = true
    defer { isOnScreen = false }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: false) }
        waiting = continuation
      }
    } onCancel: {
      Task { @MainActor in self.answer(false) }
    }
  }

  func answer(_ isYes: Bool) {
    waiting?.resume(returning: isYes)
    waiting = nil
  }
}

@MainActor
final class RemovalPage {
  let sheet = ConfirmSheet()
  private(set) var albums = ["Rome", "Oslo", "Lima"]

  func remove(_ album: String) async {
    guard await sheet.ask() else { return print("\(album) stays") }
    albums.removeAll { $0 == album }
    print("\(album) is removed")
  }
}

let page = RemovalPage()
for (album, answer) in [("Rome", true), ("Oslo", nil), ("Lima", false)] {
  let question = Task(name: "question") { await page.remove(album) }
  try await Task.sleep(for: .milliseconds(50))
  if let answer { page.sheet.answer(answer) } else { question.cancel() }
  await question.value
}
print("albums: \(page.albums), sheet on the screen: \(page.sheet.isOnScreen)")
