// Symptom: The times of my bus often only appear when I touch the screen, and the log is full of
// warnings that the label was changed in the background.
// Looks at: the refresh of the board

import Foundation

/// Stands for a label of the system's user interface.
final class Label: @unchecked Sendable {
  private(set) var warnings = 0
  var text = "" {
    didSet {
      let place = Thread.isMainThread ? "on the main thread" : "in the background"
      print("label changed \(place): \(text)")
      if !Thread.isMainThread { warnings += 1 }
    }
  }
}

struct Arrival: Sendable {
  var line: String
  var minutes: Int
}

struct BusService: Sendable {
  func arrivals(at stop: String) async throws -> [Arrival] {
    try await Task.sleep(for: .milliseconds(35))
    return [Arrival(line: "12", minutes: 3), Arrival(line: "46", minutes: 9)]
  }
}

final class BoardController: Sendable {
  let label = Label()
  private let service = BusService()

  func refresh(_ stop: String) async {
    do {
      let arrivals = try await service.arrivals(at: stop)
      let lines = arrivals.map { "\($0.line) in \($0.minutes) min" }
      label.text = lines.joined(separator: ", ")  // culprit
    } catch {
      await MainActor.run { label.text = "No times at the moment" }
    }
  }
}

@main
struct BusApp {
  @MainActor
  static func main() async throws {
    let board = BoardController()
    board.label.text = "Loading…"
    for stop in ["Station", "Harbour", "Museum"] {
      await board.refresh(stop)
      try await Task.sleep(for: .milliseconds(50))
    }
    print("\(board.label.warnings) warnings")
  }
}
