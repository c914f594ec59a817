// Symptom: The app for commuters is bigger and warmer with every train that I looked at, though I
// always went back to the list.
// Looks at: one of the trains that I looked at ("position of train 3")

import Foundation

struct Position: Sendable {
  let train: Int
  let kilometre: Double
}

actor Railway {
  private(set) var questions = 0

  func position(of train: Int) async -> Position {
    questions += 1
    return Position(train: train, kilometre: Double(questions) / 8)
  }
}

struct Tracker: Sendable {
  let railway: Railway

  /// Where a train is, as long as someone wants to know.
  func positions(of train: Int) -> AsyncStream<Position> {
    AsyncStream { continuation in
      Task(name: "position of train \(train)") {  // culprit
        while !Task.isCancelled {
          continuation.yield(await railway.position(of: train))
          try? await Task.sleep(for: .milliseconds(4))
        }
        continuation.finish()
      }
    }
  }
}

@MainActor
final class TrainScreen {
  private(set) var text = ""
  private let train: Int
  private let tracker: Tracker
  private var following: Task<Void, Never>?

  init(train: Int, tracker: Tracker) {
    self.train = train
    self.tracker = tracker
  }

  func appear() {
    following = Task(name: "screen of train \(train)") { [weak self, train, tracker] in
      for await position in tracker.positions(of: train) {
        self?.text = "km \(position.kilometre.formatted())"
      }
    }
  }

  func disappear() { following?.cancel() }
}

let railway = Railway()
for train in 1...12 {
  let screen = TrainScreen(train: train, tracker: Tracker(railway: railway))
  screen.appear()
  try await Task.sleep(for: .milliseconds(40))
  screen.disappear()
  print("train \(train): \(screen.text)")
}
let before = await railway.questions
try await Task.sleep(for: .milliseconds(100))
print("\(await railway.questions - before) questions while no train is shown")
