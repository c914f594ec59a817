// Symptom: I import my bookmarks, and the app fetches a picture for each of them. With old
// bookmarks, of which some sites are gone, the import comes to a stand after a while and never
// ends.
// Looks at: one of the last bookmarks ("bookmark 19")

import Foundation

/// Lets only some of its users go on at a time.
actor Slots {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

struct Bookmark: Sendable {
  let number: Int
  var host: String { number % 6 == 2 ? "gone-\(number).example" : "site-\(number).example" }
}

struct Web: Sendable {
  func picture(of host: String) async throws -> Data {
    try await Task.sleep(for: .milliseconds(8))
    guard !host.hasPrefix("gone") else { throw URLError(.cannotFindHost) }
    return Data(count: 64 * host.count)
  }
}

struct Importer: Sendable {
  let web = Web()
  let slots = Slots(3)

  func picture(for bookmark: Bookmark) async throws -> Data {
    await slots.take()
    let data = try await web.picture(of: bookmark.host)  // culprit
    await slots.giveBack()
    return data
  }

  func run(_ bookmarks: [Bookmark]) async -> Int {
    await withTaskGroup(of: Data?.self) { group in
      for bookmark in bookmarks {
        group.addTask(name: "bookmark \(bookmark.number)") {
          // A bookmark without a picture gets the grey one.
          try? await picture(for: bookmark)
        }
      }
      return await group.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
    }
  }
}

let bookmarks = (0..<20).map { Bookmark(number: $0) }
print("\(await Importer().run(bookmarks)) of \(bookmarks.count) bookmarks have a picture")
