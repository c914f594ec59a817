// Symptom: I import the list of my plants. All lines of the file are read, and then the wheel turns and
// turns; the summary does not come.
// Looks at: the import ("import")

import Foundation

struct Plant: Sendable {
  let latin: String
  let found: Int
}

/// Reads a file of plants on its own queue.
final class PlantReader: Sendable {
  private let queue = DispatchQueue(label: "reader")

  func read(
    _ text: String, onPlant: @escaping @Sendable (Plant) -> Void,
    onEnd: @escaping @Sendable (Int) -> Void
  ) {
    queue.async {
      var lines = 0
      for line in text.split(separator: "\n") {
        let fields = line.split(separator: ";")
        lines += 1
        guard fields.count == 2, let year = Int(fields[1]) else { continue }
        onPlant(Plant(latin: String(fields[0]), found: year))
      }
      onEnd(lines)
    }
  }

  func plants(in text: String) -> AsyncStream<Plant> {
    AsyncStream { continuation in
      read(text) { plant in
        continuation.yield(plant)
      } onEnd: { lines in
        print("read \(lines) lines")
      }
    }
  }
}

actor Herbarium {
  private var plants: [Plant] = []

  func add(_ text: String, with reader: PlantReader) async -> String {
    for await plant in reader.plants(in: text) {  // culprit
      plants.append(plant)
    }
    let oldest = plants.map(\.found).min() ?? 0
    return "\(plants.count) plants, the oldest of \(oldest)"
  }
}

let list = """
  Primula veris;1987
  Gentiana clusii;2003
  ?
  Arnica montana;1991
  """
let herbarium = Herbarium()
let adding = Task(name: "import") { await herbarium.add(list, with: PlantReader()) }
print("importing …")
print(await adding.value)
