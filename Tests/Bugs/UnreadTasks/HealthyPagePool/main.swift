// Symptom: None; this works.
// Looks at: the imports ("import")

import Foundation

struct Scan: Sendable {
  var name: String
  var pages: Int
}

enum OcrError: Error {
  case illegible(page: Int)
}

/// Limits what is done at the same time.
actor Permits {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  nonisolated func withPermit<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    await take()
    do {
      let result = try await work()
      await giveBack()
      return result
    } catch {
      await giveBack()
      throw error
    }
  }

  private func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func giveBack() {
    guard !waiting.isEmpty else {
      free += 1
      return
    }
    waiting.removeFirst().resume()
  }
}

struct Importer: Sendable {
  let scans = Permits(2)
  let pages = Permits(3)

  func run(_ scan: Scan) async -> String {
    await scans.withPermit {
      do {
        let words = try await read(scan)
        return "\(scan.name): \(words) words"
      } catch OcrError.illegible(let page) {
        return "\(scan.name): page \(page) is illegible"
      } catch {
        return "\(scan.name): \(error)"
      }
    }
  }

  private func read(_ scan: Scan) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for page in 1...scan.pages {
        group.addTask(name: "page") {
          try await pages.withPermit { try await recognise(page, of: scan) }
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private func recognise(_ page: Int, of scan: Scan) async throws -> Int {
    var delay = Duration.milliseconds(5)
    for attempt in 1...3 {
      try await Task.sleep(for: .milliseconds(8))
      // The service is busy now and then, and the third page of the fax is what it is.
      if scan.name == "fax", page == 3 { throw OcrError.illegible(page: page) }
      if !(page + attempt).isMultiple(of: 4) { return 180 + page }
      try await Task.sleep(for: delay)
      delay *= 2
    }
    return 0
  }
}

let importer = Importer()
let inbox = [
  Scan(name: "deed", pages: 7), Scan(name: "fax", pages: 5), Scan(name: "lease", pages: 9),
  Scan(name: "letter", pages: 1), Scan(name: "will", pages: 4),
]
await withTaskGroup(of: String.self) { group in
  for scan in inbox {
    group.addTask(name: "import") { await importer.run(scan) }
  }
  for await line in group { print(line) }
}
