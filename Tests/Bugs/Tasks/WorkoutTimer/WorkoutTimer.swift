// Symptom: Each workout that I open and close leaves something behind. After an hour at the gym
// the app has so much in memory that the phone closes it.
// Looks at: the clock of the workout

import Foundation

@MainActor
final class WorkoutScreen {
  static var open = 0

  private let name: String
  private var seconds = 0
  private var track = [Double](repeating: 0, count: 50_000)
  private var ticking: Task<Void, Never>?

  init(name: String) {
    self.name = name
    Self.open += 1
    startClock()
  }

  private func startClock() {
    ticking = Task { [weak self] in
      guard let self else { return }  // culprit
      while !Task.isCancelled {
        self.tick()
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private func tick() {
    seconds += 1
    track[seconds % track.count] = Double(seconds)
  }

  deinit {
    ticking?.cancel()
    Task { @MainActor in Self.open -= 1 }
  }
}

@main
struct GymApp {
  @MainActor
  static func main() async throws {
    let workouts = ["squats", "rowing", "plank", "lunges", "bench", "rope", "bike", "stretching"]
    for workout in workouts {
      try await exercise(workout)
      print("\(workout) closed, \(WorkoutScreen.open) screens in memory")
    }
  }

  @MainActor
  static func exercise(_ workout: String) async throws {
    let screen = WorkoutScreen(name: workout)
    try await Task.sleep(for: .milliseconds(80))
    withExtendedLifetime(screen) {}
  }
}
