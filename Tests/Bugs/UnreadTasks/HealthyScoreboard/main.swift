// Symptom: None. Boards show the newest score, come back after a fault of the line, and give their
// place back when they are switched off.
// Looks at: a board that is switched off ("board 2")

import Foundation

struct Noise: Error {}

actor Hall {
  private var lines: [UUID: AsyncThrowingStream<Int, any Error>.Continuation] = [:]
  private(set) var places: Set<Int> = []
  private var points = 0

  var openLines: Int { lines.count }

  func take(_ place: Int) { places.insert(place) }
  func giveBack(_ place: Int) async throws {
    try await Task.sleep(for: .milliseconds(10))
    places.remove(place)
  }

  func scores() -> AsyncThrowingStream<Int, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Int.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    lines[id] = continuation
    continuation.onTermination = { [weak self] _ in Task { await self?.close(id) } }
    continuation.yield(points)
    return stream
  }

  func score() {
    points += 2
    for line in lines.values { line.yield(points) }
  }

  func disturb() {
    for line in lines.values { line.finish(throwing: Noise()) }
  }

  private func close(_ id: UUID) { lines[id] = nil }
}

@MainActor
final class Board {
  private let place: Int
  private(set) var shown = -1
  private var showing: Task<Void, Never>?

  init(place: Int) { self.place = place }

  func switchOn(in hall: Hall) {
    guard showing == nil else { return }
    showing = Task(name: "board \(place)") { await show(hall) }
  }

  func switchOff() async {
    showing?.cancel()
    await showing?.value
    showing = nil
  }

  private func show(_ hall: Hall) async {
    await hall.take(place)
    while !Task.isCancelled {
      do {
        for try await score in await hall.scores() { shown = score }
      } catch {
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    // This task is cancelled, and its requests would be; a task of its own is not.
    try? await Task { [place] in try await hall.giveBack(place) }.value
  }
}

let hall = Hall()
let boards = (1...2).map { Board(place: $0) }
for board in boards { board.switchOn(in: hall) }
for goal in 1...6 {
  try await Task.sleep(for: .milliseconds(60))
  if goal == 3 { await hall.disturb() }
  await hall.score()
}
try await Task.sleep(for: .milliseconds(60))
await boards[1].switchOff()
try await Task.sleep(for: .milliseconds(60))
print("shown: \(boards.map(\.shown)), places: \(await hall.places), lines: \(await hall.openLines)")
await boards[0].switchOff()
