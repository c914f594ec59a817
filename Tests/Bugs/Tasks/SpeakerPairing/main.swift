// Symptom: I want to pair a loudspeaker, and press Cancel because it is the wrong room. The sheet stays
// on the screen, and I cannot get rid of it.
// Looks at: the pairing ("pairing")

import Foundation

struct Speaker: Sendable {
  let name: String
}

@MainActor
final class SpeakerFinder {
  private var found: CheckedContinuation<Speaker, Never>?

  /// Waits until somebody presses the button of a loudspeaker nearby.
  func nextSpeaker() async -> Speaker {
    await withCheckedContinuation { continuation in
      found = continuation  // culprit
    }
  }

  func buttonPressed(on speaker: Speaker) {
    found?.resume(returning: speaker)
    found = nil
  }
}

@MainActor
final class PairingSheet {
  private let finder: SpeakerFinder
  private var pairing: Task<Speaker?, Never>?
  private(set) var isOnScreen = false

  init(finder: SpeakerFinder) { self.finder = finder }

  func open() {
    isOnScreen = true
    pairing = Task(name: "pairing") {
      let speaker = await finder.nextSpeaker()
      return Task.isCancelled ? nil : speaker
    }
  }

  func cancel() { pairing?.cancel() }

  func result() async -> String {
    let speaker = await pairing?.value
    isOnScreen = false
    return speaker.map { "paired with \($0.name)" } ?? "cancelled"
  }
}

let finder = SpeakerFinder()
let first = PairingSheet(finder: finder)
first.open()
try await Task.sleep(for: .milliseconds(40))
finder.buttonPressed(on: Speaker(name: "Kitchen"))
print(await first.result())

let second = PairingSheet(finder: finder)
second.open()
try await Task.sleep(for: .milliseconds(40))
second.cancel()
print("cancel was pressed, the sheet is on the screen: \(second.isOnScreen)")
print(await second.result())
