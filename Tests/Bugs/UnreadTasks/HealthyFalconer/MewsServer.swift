import Foundation

enum MewsError: Error {
  case busy
}

actor MewsServer {
  private var busyBirds: Set<String>
  private(set) var received: [String] = []

  init(busyFor bird: String) {
    busyBirds = [bird]
  }

  func save(_ flight: Flight) async throws {
    let isBusy = busyBirds.remove(flight.bird) != nil
    try await Task.sleep(for: .milliseconds(40))
    if isBusy { throw MewsError.busy }
    received.append(flight.bird)
  }
}
