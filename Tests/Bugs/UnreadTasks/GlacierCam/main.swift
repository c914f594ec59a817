// Symptom: The picture of the glacier in the hut is from 10:30. In the snowstorm the camera was off
// for a minute, and since then no new picture has come, although it has been back for hours.
// Looks at: what refreshes the picture ("refresh")

import Foundation

struct CameraOff: Error {}

protocol Camera: Sendable {
  func picture(at minute: Int) async throws -> String
}

struct GlacierCamera: Camera {
  let storm: ClosedRange<Int>

  func picture(at minute: Int) async throws -> String {
    try await Task.sleep(for: .milliseconds(10))
    if storm.contains(minute) { throw CameraOff() }
    return "10:\(minute)"
  }
}

@MainActor
final class PictureFrame {
  private let camera: any Camera
  private var isLoading = false
  private(set) var picture = "none"
  private(set) var status = ""

  init(camera: any Camera) { self.camera = camera }

  /// Called by the clock, and when somebody taps the picture.
  func refresh(minute: Int) async throws {
    // One at a time: the line to the glacier is thin.
    guard !isLoading else { return }
    isLoading = true
    let new = try await camera.picture(at: minute)  // culprit
    picture = new
    status = "live"
    isLoading = false
  }

  func show(_ error: any Error) {
    status = error is CameraOff ? "camera off" : "\(error)"
  }
}

@MainActor
struct HutClock {
  let frame: PictureFrame
  let every = Duration.milliseconds(40)

  func run(minutes: StrideThrough<Int>) async throws {
    for minute in minutes {
      do {
        try await frame.refresh(minute: minute)
      } catch {
        frame.show(error)
      }
      print("at 10:\(minute) the picture of \(frame.picture) (\(frame.status))")
      try await Task.sleep(for: every)
    }
  }
}

let frame = PictureFrame(camera: GlacierCamera(storm: 31...34))
let clock = HutClock(frame: frame)
let refreshing = Task(name: "refresh") {
  try await clock.run(minutes: stride(from: 12, through: 57, by: 3))
}
try await refreshing.value
