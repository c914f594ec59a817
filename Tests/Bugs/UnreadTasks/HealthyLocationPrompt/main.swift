// Symptom: None; this works.
// Looks at: the map ("map")

import Foundation

struct Place: Sendable {
  var latitude: Double
  var longitude: Double
}

enum LocationError: Error {
  case noSignal
}

/// The receiver; it answers a request once, with a place or a failure.
final class Receiver: Sendable {
  private let queue = DispatchQueue(label: "receiver")
  private let signal = 0.8

  func locate(done: @escaping @Sendable (Result<Place, LocationError>) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.06) { [signal] in
      done(signal > 0.2 ? .success(Place(latitude: 47.5, longitude: 7.6)) : .failure(.noSignal))
    }
  }
}

/// Asks the receiver once for all who want to know the place at the same time.
@MainActor
final class LocationPrompt {
  private let receiver = Receiver()
  private var waiting: [CheckedContinuation<Place, any Error>] = []

  func place() async throws -> Place {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append(continuation)
      guard waiting.count == 1 else { return }
      receiver.locate { result in
        Task { @MainActor in self.located(result) }
      }
    }
  }

  private func located(_ result: Result<Place, LocationError>) {
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume(with: result.mapError { $0 }) }
  }
}

@MainActor
func show(_ screen: String, prompt: LocationPrompt) async {
  do {
    let place = try await prompt.place()
    print("\(screen): \(place.latitude), \(place.longitude)")
  } catch {
    print("\(screen): \(error)")
  }
}

let prompt = LocationPrompt()
let map = Task(name: "map") { await show("map", prompt: prompt) }
try? await Task.sleep(for: .milliseconds(15))
let weather = Task(name: "weather") { await show("weather", prompt: prompt) }
await map.value
await weather.value
await show("map again", prompt: prompt)
