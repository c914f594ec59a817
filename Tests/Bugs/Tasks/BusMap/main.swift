// Symptom: I look at the map, and my bus moves. I look at the timetable and go back to the map: now
// the bus stands still, and goes on standing until I kill the app.
// Looks at: the map ("map")

import Foundation

/// Where the bus is, as its radio reports.
final class BusTracker: Sendable {
  let positions: AsyncStream<Int>
  private let radio: AsyncStream<Int>.Continuation

  init() {
    (positions, radio) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func drive(stops: Int) async {
    for metres in 1...stops * 10 {
      radio.yield(metres * 40)
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}

@MainActor
final class MapScreen {
  private let tracker: BusTracker
  private var following: Task<Void, Never>?
  private(set) var moves = 0
  private(set) var place = "?"

  init(tracker: BusTracker) { self.tracker = tracker }

  func appear() {
    following = Task(name: "map") { [weak self, tracker] in
      for await metres in tracker.positions {  // culprit
        self?.show(metres)
      }
    }
  }

  func disappear() { following?.cancel() }

  private func show(_ metres: Int) {
    moves += 1
    place = "\(metres) m"
  }
}

let tracker = BusTracker()
let bus = Task(name: "bus") { await tracker.drive(stops: 7) }
for visit in 1...3 {
  let map = MapScreen(tracker: tracker)
  map.appear()
  try await Task.sleep(for: .milliseconds(180))
  map.disappear()
  print("visit \(visit): the bus moved \(map.moves) times, and is at \(map.place)")
  // The timetable.
  try await Task.sleep(for: .milliseconds(40))
}
await bus.value
