// Symptom: None. Each train is asked for as long as its screen is shown.
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

  /// Where a train is, as long as someone wants to know. An old position is of no use to anyone.
  func positions(of train: Int) -> AsyncStream<Position> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let asking = Task(name: "position of train \(train)") {
        while !Task.isCancelled {
          continuation.yield(await railway.position(of: train))
          try? await Task.sleep(for: .milliseconds(4))
        }
      }
      continuation.onTermination = { _ in asking.cancel() }
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
try await Task.sleep(for: .milliseconds(20))
let before = await railway.questions
try await Task.sleep(for: .milliseconds(60))
print("\(await railway.questions - before) questions while no train is shown")
