// Symptom: I choose a dearer tile, and the costs of the bathroom do not change. After I have
// measured the wall again, they are right for a moment.
// Looks at: the costs ("costs")

import Foundation
import Varve

struct Wall: Equatable {
  var width: Double
  var height: Double
  var area: Double { width * height }
}

struct Tile: Equatable {
  let name: String
  let perSquareMetre: Double
}

final class BathroomPlanner {
  let wall = MutableProperty(Wall(width: 2, height: 2), named: "wall")
  let tile = MutableProperty(Tile(name: "white", perSquareMetre: 20), named: "tile")
  let includesGrout = MutableProperty(true, named: "grout")

  var costs: SignalProducer<Double, Never> {
    wall.producer
      .zip(with: tile.producer)  // culprit
      .combineLatest(with: includesGrout.producer)
      .map { pair, includesGrout in
        let (wall, tile) = pair
        return wall.area * (tile.perSquareMetre + (includesGrout ? 1.5 : 0))
      }
      .named("costs")
  }
}

final class CostLabel {
  private(set) var text = ""

  func show(_ planner: BathroomPlanner) {
    planner.costs
      .skipRepeats()
      .startWithValues { [weak self] in
        self?.text = String(format: "%.2f €", $0)
        print(self?.text ?? "")
      }
  }
}

let planner = BathroomPlanner()
let label = CostLabel()
label.show(planner)
planner.tile.value = Tile(name: "marble", perSquareMetre: 90)
planner.tile.value = Tile(name: "slate", perSquareMetre: 55)
planner.includesGrout.value = false
let right = planner.wall.value.area * planner.tile.value.perSquareMetre
print("the label says \(label.text), right is \(right)")
