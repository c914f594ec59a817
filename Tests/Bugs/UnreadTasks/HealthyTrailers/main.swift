// Symptom: None; this works.
// Looks at: the download of the trailers

import Foundation

struct TrailerMissing: Error {
  var number: Int
}

struct TrailerServer: Sendable {
  let missing: Set<Int> = [2, 4, 7]

  func trailer(_ number: Int) async throws -> String {
    try await Task.sleep(for: .milliseconds(15 + number % 3 * 10))
    if missing.contains(number) { throw TrailerMissing(number: number) }
    return "\(Cinema.current) trailer \(number)"
  }
}

enum Cinema {
  @TaskLocal static var current = "any cinema's"
}

struct TrailerFetch: Sendable {
  let server = TrailerServer()

  /// The trailers in the order of their numbers, nil for one that is missing; three at a time.
  func fetch(_ numbers: [Int]) async -> [String?] {
    await withTaskGroup(of: (Int, String?).self) { group in
      var waiting = numbers.enumerated().makeIterator()

      func startNext() {
        guard let (index, number) = waiting.next() else { return }
        group.addTask {
          (index, try? await server.trailer(number))
        }
      }

      for _ in 1...3 { startNext() }
      var trailers = [String?](repeating: nil, count: numbers.count)
      while let (index, trailer) = await group.next() {
        startNext()
        guard let trailer else { continue }
        trailers[index] = trailer
      }
      return trailers
    }
  }
}

await Cinema.$current.withValue("the Rex's") {
  let evening = Task { await TrailerFetch().fetch(Array(1...12)) }
  for (index, trailer) in await evening.value.enumerated() {
    print("\(index + 1): \(trailer ?? "missing")")
  }
}
