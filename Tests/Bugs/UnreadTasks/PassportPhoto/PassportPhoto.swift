// Symptom: When I take a passport photo, the app freezes while it straightens my head. The spinner
// does not turn, and the Cancel button does not react until the picture is there.
// Looks at: the straightening of the photo

import Foundation

struct Photo: Sendable {
  var pixels: [UInt8]

  /// Turns the picture until the eyes are level; no fast thing.
  func straightened() -> Photo {
    var result = pixels
    for _ in 0..<160 {
      for index in result.indices {
        result[index] = result[index] &* 31 &+ UInt8(truncatingIfNeeded: index)
      }
    }
    return Photo(pixels: result)
  }
}

@MainActor
final class PhotoScreen {
  private(set) var preview: Photo?
  private(set) var isBusy = false
  private(set) var turns = 0

  func spin() async {
    let clock = ContinuousClock()
    var last = clock.now
    while isBusy {
      try? await Task.sleep(for: .milliseconds(20))
      turns += 1
      let now = clock.now
      let pause = last.duration(to: now)
      if pause > .milliseconds(100) { print("the spinner stood still for \(pause)") }
      last = now
    }
  }

  func take(_ photo: Photo) {
    isBusy = true
    Task { await spin() }
    Task {
      try? await Task.sleep(for: .milliseconds(60))
      preview = photo.straightened()  // culprit
      isBusy = false
    }
  }
}

@main
struct PassportApp {
  @MainActor
  static func main() async throws {
    let screen = PhotoScreen()
    screen.take(Photo(pixels: [UInt8](repeating: 90, count: 200_000)))
    while screen.isBusy { try await Task.sleep(for: .milliseconds(30)) }
    try await Task.sleep(for: .milliseconds(50))
    print("picture of \(screen.preview?.pixels.count ?? 0) pixels, \(screen.turns) turns")
  }
}
