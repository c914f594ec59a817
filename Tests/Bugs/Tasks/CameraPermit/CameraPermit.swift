// Symptom: At the first start the app asks whether it may use the camera. I say yes, the barcode
// reader gets going, but the picture stays black and the start never ends.
// Looks at: the asking for the camera

import Foundation

/// Asks in a window of the system, which answers through a delegate.
final class SystemDialog: Sendable {
  private let queue = DispatchQueue(label: "system dialog")

  func show(answer: @escaping @Sendable (Bool) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.08) { answer(true) }
  }
}

actor CameraPermission {
  private let dialog = SystemDialog()
  private var isAsking = false
  private var answer: CheckedContinuation<Bool, Never>?

  func request() async -> Bool {
    await withCheckedContinuation { continuation in
      answer = continuation  // culprit
      guard !isAsking else { return }
      isAsking = true
      dialog.show { granted in
        Task { await self.answered(granted) }
      }
    }
  }

  private func answered(_ granted: Bool) {
    isAsking = false
    answer?.resume(returning: granted)
    answer = nil
  }
}

struct Camera: Sendable {
  let permission: CameraPermission

  func startPicture() async -> String {
    await permission.request() ? "picture runs" : "no picture"
  }

  func startBarcodes() async -> String {
    try? await Task.sleep(for: .milliseconds(20))
    return await permission.request() ? "barcodes run" : "no barcodes"
  }
}

@main
struct CameraApp {
  static func main() async {
    let camera = Camera(permission: CameraPermission())
    await withTaskGroup(of: String.self) { group in
      group.addTask { await camera.startPicture() }
      group.addTask { await camera.startBarcodes() }
      for await line in group { print(line) }
    }
    print("the camera is ready")
  }
}
