// Symptom: One photo of a leaf is recognised at once. When I choose the photos of a whole walk,
// the bar stays at zero for ever, and the processor does nothing.
// Looks at: one of the photos ("photo 5")

import Foundation

struct Photo: Sendable {
  let number: Int
  let hue: Double
}

/// The model for plants, which comes as a package of its own.
actor PlantModel {
  private let names = ["alder", "beech", "hornbeam", "lime", "oak", "rowan"]
  private(set) var calls = 0

  func predict(_ photo: Photo) async throws -> String {
    calls += 1
    try await Task.sleep(for: .milliseconds(5))
    return names[Int(photo.hue * Double(names.count)) % names.count]
  }
}

/// What the older parts of the app use: a recogniser that returns when it is done.
final class Recogniser: Sendable {
  private let model = PlantModel()

  // Safety: the semaphore orders the write before the read.
  private final class Answer: @unchecked Sendable {
    var name = "unknown"
  }

  func name(of photo: Photo) -> String {
    let answer = Answer()
    let done = DispatchSemaphore(value: 0)
    Task(name: "predict \(photo.number)") { [model] in
      answer.name = (try? await model.predict(photo)) ?? "unknown"
      done.signal()
    }
    done.wait()  // culprit
    return answer.name
  }
}

struct Walk: Sendable {
  let photos: [Photo]
  let recogniser = Recogniser()

  func names() async -> [String: Int] {
    await withTaskGroup(of: String.self) { group in
      for photo in photos {
        group.addTask(name: "photo \(photo.number)") { recogniser.name(of: photo) }
      }
      var counts: [String: Int] = [:]
      for await name in group { counts[name, default: 0] += 1 }
      return counts
    }
  }
}

let photos = (0..<90).map { Photo(number: $0, hue: Double($0 * 37 % 90) / 90) }
for (name, count) in await Walk(photos: photos).names().sorted(by: { $0.key < $1.key }) {
  print("\(name): \(count)")
}
