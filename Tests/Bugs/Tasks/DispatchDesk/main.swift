// Symptom: When the first van of the evening ends its tour, the desk's map stands still: the vans
// that are still under way do not move any more.
// Looks at: the map ("map")

import Foundation

struct Fix: Sendable {
  let van: String
  let kilometre: Int
}

struct Van: Sendable {
  let name: String
  let tour: Int

  /// Where it is, until the tour ends.
  func fixes() -> AsyncStream<Fix> {
    let (stream, continuation) = AsyncStream.makeStream(of: Fix.self)
    Task(name: name) {
      for kilometre in 1...tour {
        try? await Task.sleep(for: .milliseconds(40))
        continuation.yield(Fix(van: name, kilometre: kilometre))
      }
      continuation.finish()
    }
    return stream
  }
}

/// The elements of all streams, as they come.
func merge<Element: Sendable>(_ streams: [AsyncStream<Element>]) -> AsyncStream<Element> {
  AsyncStream { continuation in
    let forwarding = streams.map { stream in
      Task(name: "forward") {
        for await element in stream { continuation.yield(element) }
        continuation.finish()  // culprit
      }
    }
    continuation.onTermination = { _ in
      for task in forwarding { task.cancel() }
    }
  }
}

@MainActor
final class DeskMap {
  private(set) var positions: [String: Int] = [:]

  func follow(_ vans: [Van]) async {
    for await fix in merge(vans.map { $0.fixes() }) {
      positions[fix.van] = fix.kilometre
    }
  }
}

let vans = [
  Van(name: "van 1", tour: 12), Van(name: "van 2", tour: 5), Van(name: "van 3", tour: 15),
]
let map = DeskMap()
let following = Task(name: "map") { await map.follow(vans) }
try await Task.sleep(for: .milliseconds(900))
for van in vans {
  print("\(van.name): tour of \(van.tour), on the map at \(map.positions[van.name] ?? 0)")
}
following.cancel()
