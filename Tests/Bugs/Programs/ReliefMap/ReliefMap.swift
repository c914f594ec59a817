// Symptom: I pull the map with my finger. As long as new hills come into view, the map follows
// late and in leaps; where I was before, it sticks to the finger.
// Looks at: where the map stands ("centre")
import Foundation
import Varve

struct Tile: Sendable, Hashable {
  let column: Int
  let row: Int
}

struct Relief: Sendable {
  let tile: Tile
  let shades: [UInt8]
}

/// Draws the shadows of the hills.
struct Shader: Sendable {
  func relief(of tile: Tile) -> SignalProducer<Relief, Never> {
    SignalProducer {
      var shades: [UInt8] = []
      for index in 0..<300_000 {
        let height = sin(Double(index % 220) / 9 + Double(tile.column)) * 40
        let slope = cos(Double(index / 220) / 7 + Double(tile.row)) * 40
        shades.append(UInt8(max(0, min(255, 128 + height + slope))))
      }
      return Relief(tile: tile, shades: shades)
    }
  }
}

final class MapView {
  let centre = MutableProperty(0)
  let reliefs = MutableProperty<[Tile: Relief]>([:])

  init(drags: Signal<Int, Never>, shader: Shader, screen: QueueScheduler, work: QueueScheduler) {
    centre <~ drags.observe(on: screen)
    let tiles = centre.producer
      .map { Tile(column: $0 / 60, row: 0) }
      .skipRepeats()
      .flatMap(.merge) { tile in
        SignalProducer((0..<4).map { Tile(column: tile.column, row: $0) })
      }
    reliefs
      <~ tiles
      .observe(on: work)
      .flatMap(.merge) { tile in
        shader.relief(of: tile)
          .start(on: screen)  // culprit
      }
      .scan([:]) { known, relief in known.merging([relief.tile: relief]) { $1 } }
  }
}

let (drags, finger) = Signal<Int, Never>.pipe()
let screen = QueueScheduler(name: "screen")
let map = MapView(
  drags: drags, shader: Shader(), screen: screen, work: QueueScheduler(name: "work"))
let clock = ContinuousClock()
let moves = MutableProperty<[Int: ContinuousClock.Instant]>([:])
let latest = MutableProperty(Duration.zero)
map.centre.signal.named("centre").observeValues { position in
  guard let moved = moves.value[position] else { return }
  latest.modify { $0 = max($0, clock.now - moved) }
}
for step in 1...50 {
  moves.modify { $0[step * 6] = clock.now }
  finger.send(value: step * 6)
  Thread.sleep(forTimeInterval: 0.012)
}
Thread.sleep(forTimeInterval: 0.2)
print("\(map.reliefs.value.count) tiles")
print("the map was late by up to \(latest.value.formatted(.units(allowed: [.milliseconds])))")
