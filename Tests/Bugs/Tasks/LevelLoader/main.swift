// Symptom: The third level of my game never begins: the bar stands at two thirds. The other levels load
// at once.
// Looks at: the loading of the water ("water")

import Foundation

struct Terrain: Sendable {
  var heights: [Int]
}

struct Water: Sendable {
  var level: Int
  var shore: [Int]
}

/// Loads each part of a level once, whoever asks for it.
actor LevelLoader {
  private let number: Int
  private var terrainTask: Task<Terrain, Never>?
  private var waterTask: Task<Water, Never>?

  init(level number: Int) { self.number = number }

  func terrain() async -> Terrain {
    let task = terrainTask ?? Task(name: "terrain") { await self.loadTerrain() }
    terrainTask = task
    return await task.value
  }

  func water() async -> Water {
    let task = waterTask ?? Task(name: "water") { await self.loadWater() }
    waterTask = task
    return await task.value
  }

  private func loadTerrain() async -> Terrain {
    try? await Task.sleep(for: .milliseconds(10))
    var terrain = Terrain(heights: (0..<32).map { $0 * 7 % 11 })
    // From the third level on the ground below the water is flat.
    if number > 2 {
      let level = await water().level  // culprit
      terrain.heights = terrain.heights.map { max($0, level - 2) }
    }
    return terrain
  }

  private func loadWater() async -> Water {
    try? await Task.sleep(for: .milliseconds(15))
    let heights = await terrain().heights
    return Water(level: 5, shore: heights.indices.filter { heights[$0] == 5 })
  }
}

for number in 1...3 {
  let loader = LevelLoader(level: number)
  print("level \(number): loading")
  let water = await loader.water()
  let terrain = await loader.terrain()
  print("level \(number): \(terrain.heights.count) fields, \(water.shore.count) at the shore")
}
