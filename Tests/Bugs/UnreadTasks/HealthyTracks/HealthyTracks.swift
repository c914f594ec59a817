// Symptom: None. The song that is not sold here is left out and named, the others are saved.
// Looks at: a song that can be had ("track 7")

import Foundation

enum StoreError: Error {
  case notSoldHere
  case busy
}

actor MusicStore {
  private var refused: Set<Int> = [2, 6]

  func download(_ number: Int) async throws -> Int {
    try await Task.sleep(for: .milliseconds(5 * number))
    if number == 4 { throw StoreError.notSoldHere }
    // The store is busy at the first attempt of some.
    if refused.remove(number) != nil { throw StoreError.busy }
    return number * 512_000
  }
}

struct AlbumDownload: Sendable {
  let store = MusicStore()

  private func download(_ number: Int) async throws -> Int {
    do {
      return try await store.download(number)
    } catch StoreError.busy {
      try await Task.sleep(for: .milliseconds(20))
      return try await store.download(number)
    }
  }

  func save(tracks count: Int) async -> (saved: [Int], missing: [Int]) {
    await withTaskGroup(of: (Int, Result<Int, any Error>).self) { group in
      for number in 1...count {
        group.addTask(name: "track \(number)") {
          do {
            return (number, .success(try await download(number)))
          } catch {
            return (number, .failure(error))
          }
        }
      }
      var saved: [Int] = []
      var missing: [Int] = []
      for await (number, result) in group {
        switch result {
        case .success: saved.append(number)
        case .failure: missing.append(number)
        }
      }
      return (saved.sorted(), missing.sorted())
    }
  }
}

let (saved, missing) = await AlbumDownload().save(tracks: 9)
print("saved \(saved), missing \(missing)")
