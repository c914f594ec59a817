// Symptom: The camera never starts after I tapped Allow; the microphone does.
// Looks at: the camera ("camera")

import Foundation

enum Answer: Sendable {
  case allowed, denied
}

/// The system's sheet; it comes up once, and tells its answer to the delegate.
final class PermissionSheet: Sendable {
  func present(answer: @escaping @Sendable (Answer) -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.08) { answer(.allowed) }
  }
}

@MainActor
final class PermissionPrompt {
  private let sheet = PermissionSheet()
  private var isShown = false
  private var continuation: CheckedContinuation<Answer, Never>?

  func ask() async -> Answer {
    await withCheckedContinuation { continuation in
      self.continuation = continuation  // culprit
      showSheet()
    }
  }

  private func showSheet() {
    guard !isShown else { return }
    isShown = true
    sheet.present { answer in
      Task { @MainActor in self.answered(answer) }
    }
  }

  private func answered(_ answer: Answer) {
    isShown = false
    continuation?.resume(returning: answer)
    continuation = nil
  }
}

@MainActor
func begin(_ device: String, prompt: PermissionPrompt) async {
  print("\(device): waits for the permission")
  let answer = await prompt.ask()
  print("\(device): \(answer == .allowed ? "runs" : "is off")")
}

let prompt = PermissionPrompt()
let camera = Task(name: "camera") { await begin("camera", prompt: prompt) }
try? await Task.sleep(for: .milliseconds(20))
let microphone = Task(name: "microphone") { await begin("microphone", prompt: prompt) }
await microphone.value
await camera.value
print("The call can begin")
