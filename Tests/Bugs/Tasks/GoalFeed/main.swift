// Symptom: Our server for live scores needs more memory with everybody who ever looked in, and
// each goal takes it longer. At night, when nobody reads, it does not shrink.
// Looks at: one of the readers ("reader 12")

import Foundation

struct Goal: Sendable {
  let minute: Int
  let score: String
}

actor MatchFeed {
  private var readers: [AsyncStream<Goal>.Continuation] = []
  private(set) var sent = 0

  var readerCount: Int { readers.count }

  func goals() -> AsyncStream<Goal> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Goal.self, bufferingPolicy: .bufferingNewest(10))
    readers.append(continuation)  // culprit
    return stream
  }

  func report(_ goal: Goal) {
    for reader in readers {
      reader.yield(goal)
      sent += 1
    }
  }

  func end() {
    for reader in readers { reader.finish() }
    readers = []
  }
}

struct Connection: Sendable {
  let number: Int
  let feed: MatchFeed

  /// Sends the goals to a browser until its window is closed.
  func serve() async -> Int {
    var lines = 0
    for await goal in await feed.goals() {
      lines += 1
      if goal.minute > 80 { break }
    }
    return lines
  }
}

let feed = MatchFeed()
for hour in 1...5 {
  let readers = (1...12).map { reader in
    Task(name: "reader \(reader)") { await Connection(number: reader, feed: feed).serve() }
  }
  try await Task.sleep(for: .milliseconds(60))
  await feed.report(Goal(minute: 12, score: "1:0"))
  try await Task.sleep(for: .milliseconds(20))
  // Half of them close the window early.
  for reader in readers.prefix(6) { reader.cancel() }
  await feed.report(Goal(minute: 88, score: "1:1"))
  try await Task.sleep(for: .milliseconds(20))
  for reader in readers {
    reader.cancel()
    _ = await reader.value
  }
  print("hour \(hour): nobody reads, \(await feed.readerCount) readers, \(await feed.sent) sent")
}
