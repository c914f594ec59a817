import Foundation

@MainActor
final class BoardModel {
  private let feed: DepartureFeed
  private var updates: Task<Void, Never>?
  private(set) var lines: [String] = []

  init(feed: DepartureFeed) {
    self.feed = feed
  }

  func appear() {
    guard updates == nil else { return }
    updates = Task(name: "board") {
      for await departure in feed.departures {  // culprit
        add(departure)
      }
    }
  }

  func disappear() {
    updates?.cancel()
    updates = nil
  }

  private func add(_ departure: Departure) {
    let line = "car \(departure.car) to \(departure.direction.rawValue)"
    lines.append(line)
    print(line)
  }
}
