import Foundation

struct Hint: Sendable {
  var text: String
}

enum HintError: Error {
  case noTour(version: String)
}

actor HintService {
  private var cache: [String: [Hint]] = [:]

  func hints(for version: String) async throws -> [Hint] {
    if let cached = cache[version] { return cached }
    let loaded = try await fetch(version)
    cache[version] = loaded
    return loaded
  }

  private func fetch(_ version: String) async throws -> [Hint] {
    try await Task.sleep(for: .milliseconds(20))
    guard version == "2.0" else { throw HintError.noTour(version: version) }
    return [
      Hint(text: "Turn the mirror with two fingers"),
      Hint(text: "Tap a colour to keep it"),
      Hint(text: "Shake to start again"),
    ]
  }
}
