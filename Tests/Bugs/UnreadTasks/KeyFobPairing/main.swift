// Symptom: The app crashes at the dealer's when a key is paired, but not at home. At the dealer's
// the keys of several cars hang on the board.
// Looks at: the pairing at the dealer's ("pair at the dealer's")

import Foundation

struct Fob: Sendable {
  let car: String
  let signal: Int
}

protocol RadioDelegate: AnyObject {
  func radio(_ radio: Radio, didDiscover fob: Fob)
}

/// Hears the fobs that are near, and tells its delegate of each. Safety: one thread at a time.
final class Radio: @unchecked Sendable {
  weak var delegate: (any RadioDelegate)?
  private let fobs: [Fob]
  private var scanning: Task<Void, any Error>?

  init(near fobs: [Fob]) { self.fobs = fobs }

  func startScan() {
    scanning = Task(name: "scan") { [weak self, fobs] in
      for _ in 1...5 {
        try await Task.sleep(for: .milliseconds(50))
        guard let self else { return }
        // All those that were heard in this slice of time.
        for fob in fobs { delegate?.radio(self, didDiscover: fob) }
      }
    }
  }

  func stopScan() { scanning?.cancel() }
}

final class FobFinder: RadioDelegate, @unchecked Sendable {
  private let radio: Radio  // Safety: as the radio.
  private var found: CheckedContinuation<Fob, Never>?

  init(radio: Radio) {
    self.radio = radio
    radio.delegate = self
  }

  func nearestFob() async -> Fob {
    await withCheckedContinuation { continuation in
      found = continuation
      radio.startScan()
    }
  }

  func radio(_ radio: Radio, didDiscover fob: Fob) {
    guard fob.signal > -70 else { return }
    radio.stopScan()
    found?.resume(returning: fob)  // culprit
  }
}

func pair(at place: String, _ fobs: [Fob]) async {
  let finder = FobFinder(radio: Radio(near: fobs))
  let task = Task(name: "pair at \(place)") { await finder.nearestFob() }
  let fob = await task.value
  print("at \(place): paired with the \(fob.car)")
  try? await Task.sleep(for: .milliseconds(200))
  withExtendedLifetime(finder) {}
}

setvbuf(stdout, nil, _IOLBF, 0)
await pair(at: "home", [Fob(car: "Twingo", signal: -48), Fob(car: "neighbour's", signal: -88)])
await pair(at: "the dealer's", [Fob(car: "Clio", signal: -60), Fob(car: "Zoe", signal: -55)])
print("all paired")
