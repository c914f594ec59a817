// Symptom: None; this works.
// Looks at: the swell pedal ("pedal")

import Foundation

/// The pedal tells its place more often than the shutters can move; only the newest counts.
struct SwellPedal: Sendable {
  func places() -> AsyncStream<Int> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { pedal in
      let foot = Task(name: "foot") {
        for place in stride(from: 0, through: 100, by: 5) {
          pedal.yield(place)
          guard (try? await Task.sleep(for: .milliseconds(4))) != nil else { break }
        }
        pedal.finish()
      }
      pedal.onTermination = { _ in foot.cancel() }
    }
  }
}

actor SwellShutters {
  private(set) var opening = 0

  func turn(to place: Int) async {
    try? await Task.sleep(for: .milliseconds(18))
    opening = place
  }
}

let shutters = SwellShutters()
let pedal = Task(name: "pedal") {
  var turns = 0
  for await place in SwellPedal().places() {
    await shutters.turn(to: place)
    turns += 1
  }
  return turns
}
let turns = await pedal.value
print("\(turns) turns, shutters at \(await shutters.opening) %")
