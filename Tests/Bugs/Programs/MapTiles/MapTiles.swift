// Symptom: When I move the map, four new tiles should appear. One of them does, the other three stay
// grey.
// Looks at: drawn (the tiles on the screen)
import Foundation
import Varve

struct Tile: Hashable {
  let x: Int
  let y: Int
}

final class TileServer: Sendable {
  private let network = QueueScheduler(name: "tiles")

  func picture(of tile: Tile) -> SignalProducer<(Tile, Data), Never> {
    SignalProducer { [network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(20 + 5 * (tile.x % 3))) {
        observer.send(value: (tile, Data(count: 256)))
        observer.sendCompleted()
      }
    }
  }
}

final class MapView {
  let drawn = MutableProperty<Set<Tile>>([])
  private let (wanted, want) = Signal<Tile, Never>.pipe()

  init(_ server: TileServer) {
    drawn
      <~ wanted
      .flatMap(.latest) { server.picture(of: $0) }  // culprit
      .filter { !$0.1.isEmpty }
      .scan(into: Set<Tile>()) { $0.insert($1.0) }
  }

  func show(x: Int, y: Int) {
    for tile in [
      Tile(x: x, y: y), Tile(x: x + 1, y: y), Tile(x: x, y: y + 1), Tile(x: x + 1, y: y + 1),
    ] {
      want.send(value: tile)
    }
  }
}

let map = MapView(TileServer())
map.drawn.signal.named("drawn").observeValues { print("\($0.count) tiles") }
map.show(x: 12, y: 40)
Thread.sleep(forTimeInterval: 0.2)
map.show(x: 14, y: 40)
Thread.sleep(forTimeInterval: 0.2)
print("grey: \(8 - map.drawn.value.count)")
