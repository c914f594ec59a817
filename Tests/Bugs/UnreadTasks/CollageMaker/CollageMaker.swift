// Symptom: While a collage is put together, the wheel stands still and the cancel button does not
// react.
// Looks at: the wheel ("wheel")

import Foundation

struct Photo: Sendable {
  let name: String
  let pixels: [UInt8]
}

struct Collage: Sendable {
  let checksum: Int
}

struct Renderer: Sendable {
  func collage(of photos: [Photo]) -> Collage {
    var checksum = 0
    let end = Date().addingTimeInterval(0.4)
    while Date() < end {
      for photo in photos { checksum &+= photo.pixels.reduce(0) { $0 &* 31 &+ Int($1) } }
    }
    return Collage(checksum: checksum)
  }
}

@MainActor
final class CollageScreen {
  private(set) var collage: Collage?
  private(set) var longestPause = Duration.zero
  private let renderer = Renderer()

  func make(from photos: [Photo]) -> Task<Void, Never> {
    Task(name: "collage") {
      collage = renderer.collage(of: photos)  // culprit
    }
  }

  func turnWheel() async {
    let clock = ContinuousClock()
    var last = clock.now
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(16))
      longestPause = max(longestPause, clock.now - last)
      last = clock.now
    }
  }
}

let screen = CollageScreen()
let photos = (1...6).map { Photo(name: "IMG_\($0)", pixels: [UInt8](repeating: 7, count: 500)) }
let wheel = Task(name: "wheel") { await screen.turnWheel() }
try await Task.sleep(for: .milliseconds(80))
await screen.make(from: photos).value
try await Task.sleep(for: .milliseconds(80))
wheel.cancel()
await wheel.value
print("the wheel stood still for \(screen.longestPause)")
