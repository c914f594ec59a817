// Symptom: None; this works. The scanner's service takes three questions at a time.
// Looks at: the reading of all pages ("letters")

import Foundation

actor TextService {
  private var running = 0
  private(set) var most = 0
  private var dictionary: Task<[String], Never>?
  private(set) var dictionaries = 0

  func text(of page: Int) async throws -> String {
    running += 1
    most = max(most, running)
    defer { running -= 1 }
    let words = await self.words()
    try await Task.sleep(for: .milliseconds(page % 4 == 0 ? 60 : 20))
    return "\(page): \(words[page % words.count])"
  }

  /// All wait for the same one.
  private func words() async -> [String] {
    if let dictionary { return await dictionary.value }
    dictionaries += 1
    let loading = Task(name: "dictionary") {
      try? await Task.sleep(for: .milliseconds(50))
      return ["Dear", "Madam", "yours", "sincerely"]
    }
    dictionary = loading
    return await loading.value
  }
}

struct Scanner: Sendable {
  let service = TextService()

  func read(pages: Int) async throws -> [String] {
    try await withThrowingTaskGroup(of: (Int, String).self) { group in
      var texts = [String](repeating: "", count: pages)
      for page in 0..<pages {
        if page >= 3, let (done, text) = try await group.next() { texts[done] = text }
        group.addTask(name: "page") { (page, try await service.text(of: page)) }
      }
      for try await (done, text) in group { texts[done] = text }
      return texts
    }
  }
}

let scanner = Scanner()
let letters = Task(name: "letters") { try await scanner.read(pages: 20) }
let given = Task(name: "given up") { try await Scanner().read(pages: 400) }
try await Task.sleep(for: .milliseconds(150))
given.cancel()
switch await given.result {
case .success: print("read to the end")
case .failure(let error): print("given up: \(error is CancellationError)")
}
print(try await letters.value.joined(separator: ", "))
print("dictionaries: \(await scanner.service.dictionaries)")
print("questions at a time: \(await scanner.service.most)")
