// Symptom: Memory grows the longer one moves the map about.
// Looks at: the tiles that are loaded ("tile")

import Foundation

struct Position: Sendable, Hashable {
  var x: Int
  var y: Int
}

actor TileServer {
  private var bytes: [Position: Int] = [:]

  func tile(at position: Position) async throws -> Int {
    try await Task.sleep(for: .seconds(position.x % 2 == 0 ? 60 : 0.01))
    bytes[position] = 4_096
    return 4_096
  }
}

@MainActor
final class MapView {
  private let server = TileServer()
  private(set) var position = Position(x: 0, y: 0)
  private(set) var drawn = 0

  func move(to position: Position) {
    self.position = position
    for dy in 0..<3 {
      let tile = Position(x: position.x, y: position.y + dy)
      Task(name: "tile") { [weak self, server] in  // culprit
        if let bytes = try? await server.tile(at: tile) { self?.drawn += bytes }
      }
    }
  }
}

let map = MapView()
for step in 0..<80 {
  map.move(to: Position(x: step, y: step / 4))
  try await Task.sleep(for: .milliseconds(6))
}
print("moved to \(map.position), \(map.drawn) bytes drawn")
