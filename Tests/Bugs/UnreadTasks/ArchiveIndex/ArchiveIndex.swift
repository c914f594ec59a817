// Symptom: When a new volume of the newspaper was scanned and is being read in, a search in the
// older ones, which else is there at once, takes most of a second.
// Looks at: the search meanwhile ("search for bridge")

import Foundation

struct Page: Sendable {
  let number: Int
  let text: String
}

actor Archive {
  private var pages: [String: Set<Int>] = [:]
  private(set) var volumes = 0

  /// The pages with a word.
  func search(_ word: String) -> [Int] { pages[word.lowercased(), default: []].sorted() }

  func add(_ volume: [Page]) {
    let words = index(volume)  // culprit
    pages.merge(words) { $0.union($1) }
    volumes += 1
  }

  private func index(_ volume: [Page]) -> [String: Set<Int>] {
    var found: [String: Set<Int>] = [:]
    for page in volume {
      for word in page.text.split(separator: " ") {
        let letters = word.lowercased().filter { $0.isLetter }
        guard letters.count > 3 else { continue }
        found[letters, default: []].insert(page.number)
      }
    }
    return found
  }
}

func volume(from first: Int, pages count: Int) -> [Page] {
  let sentence = "The new Bridge over the river was opened yesterday, in spite of heavy Rain; "
  return (first..<first + count).map {
    Page(number: $0, text: String(repeating: sentence, count: 12) + "page \($0)")
  }
}

let archive = Archive()
await archive.add(volume(from: 1, pages: 4))
let new = volume(from: 1_000, pages: 4_500)

let clock = ContinuousClock()
let reading = Task(name: "read in 1931") { await archive.add(new) }
try await Task.sleep(for: .milliseconds(40))
let search = Task(name: "search for bridge") { () -> (Int, Duration) in
  let start = clock.now
  let found = await archive.search("bridge")
  return (found.count, clock.now - start)
}
let (found, time) = await search.value
print("\(found) pages in \(time.formatted(.units(allowed: [.milliseconds])))")
await reading.value
print("\(await archive.volumes) volumes")
