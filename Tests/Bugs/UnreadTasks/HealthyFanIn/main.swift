// Symptom: None. The rows of all shards come together in one stream that ends with the last shard;
// the bar shows only the newest progress; who has seen enough stops the shards.
// Looks at: the rows ("rows")

import Foundation

struct Row: Sendable {
  let shard: Int
  let number: Int
}

/// A table in pieces, on servers of different speed.
struct Shard: AsyncSequence, Sendable {
  let number: Int
  let count: Int

  struct Iterator: AsyncIteratorProtocol {
    let shard: Shard
    var row = 0

    mutating func next() async throws -> Row? {
      guard row < shard.count else { return nil }
      try await Task.sleep(for: .milliseconds(4 + 3 * shard.number))
      row += 1
      return Row(shard: shard.number, number: row)
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(shard: self) }
}

let (progress, bar) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
let display = Task(name: "bar") {
  var drawn = 0
  var last = 0
  for await percent in progress {
    last = percent
    drawn += 1
    try? await Task.sleep(for: .milliseconds(50))
  }
  return (drawn, last)
}

let shards = [Shard(number: 1, count: 20), Shard(number: 2, count: 12), Shard(number: 3, count: 8)]
let rows = Task(name: "rows") {
  defer { bar.finish() }
  var counts: [Int: Int] = [:]
  var seen = 0
  for try await row in merge(shards) {
    counts[row.shard, default: 0] += 1
    seen += 1
    bar.yield(seen * 100 / 40)
  }
  return counts
}
let counts = try await rows.value
print("rows of the shards:", counts.sorted { $0.key < $1.key }.map(\.value))
let (drawn, last) = await display.value
print("drawn less often than told: \(drawn < 40), the last: \(last) %")

let first = Task(name: "first rows") {
  var found: [Row] = []
  for try await row in merge(shards) {
    found.append(row)
    if found.count == 5 { break }
  }
  return found
}
print("\(try await first.value.count) rows are enough")
try await Task.sleep(for: .milliseconds(40))
