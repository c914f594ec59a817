// Symptom: Whenever an administrator has had a look at the live log, the server needs a bit more
// memory, and doesn't give it back when the page is closed.
// Looks at: the log that the page shows ("tail 1")

import Foundation

struct Line: Sendable {
  let level: String
  let text: String
}

/// The log of the server, for all who want to look at it while it is written.
actor LiveLog {
  private var taps: [UUID: AsyncStream<Line>.Continuation] = [:]
  private(set) var sends = 0

  var tapCount: Int { taps.count }

  func lines() -> AsyncStream<Line> {
    let (lines, tap) = AsyncStream.makeStream(of: Line.self, bufferingPolicy: .bufferingNewest(100))
    taps[UUID()] = tap  // culprit
    return lines
  }

  func write(_ line: Line) {
    for tap in taps.values {
      sends += 1
      tap.yield(line)
    }
  }
}

/// The page of an administrator, for as long as it is open.
struct TailSession {
  let log: LiveLog
  let levels: Set<String>

  func run() async -> Int {
    var shown = 0
    for await line in await log.lines() where levels.contains(line.level) {
      shown += line.text.isEmpty ? 0 : 1
    }
    return shown
  }
}

let log = LiveLog()
let server = Task(name: "server") {
  for request in 1... {
    guard !Task.isCancelled else { break }
    await log.write(Line(level: request % 5 == 0 ? "warn" : "info", text: "request \(request)"))
    try? await Task.sleep(for: .milliseconds(3))
  }
}

for visit in 1...8 {
  let session = TailSession(log: log, levels: ["warn", "error"])
  let tail = Task(name: "tail \(visit)") { await session.run() }
  try await Task.sleep(for: .milliseconds(60))
  tail.cancel()
  let shown = await tail.value
  let before = await log.sends
  await log.write(Line(level: "info", text: "page closed"))
  let sent = await log.sends - before
  print("visit \(visit): \(shown) lines; pages closed, and a line is sent \(sent) times")
}
server.cancel()
await server.value
print("\(await log.tapCount) taps are kept")
