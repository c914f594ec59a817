import Foundation

struct Flight: Identifiable, Sendable {
  let id = UUID()
  var bird: String
  var minutes: Int
  var isSaved = false

  init(bird: String, minutes: Int) {
    self.bird = bird
    self.minutes = minutes
  }
}

actor FlightLog {
  private let server: MewsServer
  private var flights: [Flight] = []

  init(server: MewsServer) {
    self.server = server
  }

  var lines: [String] {
    flights.map { "\($0.isSaved ? "✓" : "…") \($0.bird), \($0.minutes) min" }
  }

  func add(_ flight: Flight) {
    flights.insert(flight, at: 0)
  }

  func remove(_ bird: String) {
    flights.removeAll { $0.bird == bird }
  }

  /// Sends what was there at the start; what is added meanwhile goes with the next one.
  func sync() async {
    var open = flights.filter { !$0.isSaved }
    for attempt in 1...3 where !open.isEmpty {
      let failed = await send(open)
      for flight in open where !failed.contains(flight.id) { markSaved(flight.id) }
      open.removeAll { !failed.contains($0.id) }
      guard !open.isEmpty else { return }
      print("attempt \(attempt): \(open.map(\.bird).joined(separator: ", ")) failed")
      try? await Task.sleep(for: .milliseconds(30 * attempt))
    }
  }

  private func send(_ open: [Flight]) async -> Set<Flight.ID> {
    await withTaskGroup(of: Flight.ID?.self) { [server] group in
      for flight in open {
        group.addTask {
          do {
            try await server.save(flight)
            return nil
          } catch {
            return flight.id
          }
        }
      }
      return await group.reduce(into: []) { failed, id in
        if let id { failed.insert(id) }
      }
    }
  }

  private func markSaved(_ id: Flight.ID) {
    guard let row = flights.firstIndex(where: { $0.id == id }) else { return }
    flights[row].isSaved = true
  }
}
