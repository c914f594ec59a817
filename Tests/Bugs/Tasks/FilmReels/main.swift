// Symptom: The cinema fetches twelve reels in the night, three at a time. In the morning four of
// them are there. A few reels are missing on the server, but the others should have come.
// Looks at: the download of the reels

import Foundation

struct ReelMissing: Error {
  var number: Int
}

struct ReelServer: Sendable {
  let missing: Set<Int> = [2, 4, 7]

  func reel(_ number: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(15 + number % 3 * 10))
    if missing.contains(number) { throw ReelMissing(number: number) }
    return 700 + number
  }
}

struct NightFetch: Sendable {
  let server = ReelServer()

  func fetch(_ numbers: [Int]) async -> [Int] {
    await withTaskGroup(of: Result<Int, any Error>.self) { group in
      var waiting = numbers.makeIterator()

      func startNext() {
        guard let number = waiting.next() else { return }
        group.addTask {
          do {
            return .success(try await server.reel(number))
          } catch {
            return .failure(error)
          }
        }
      }

      for _ in 1...3 { startNext() }
      var sizes: [Int] = []
      while let result = await group.next() {
        guard case .success(let size) = result else {
          continue  // culprit
        }
        sizes.append(size)
        print("reel of \(size) MB is here")
        startNext()
      }
      return sizes
    }
  }
}

let sizes = await NightFetch().fetch(Array(1...12))
print("\(sizes.count) reels are here")
