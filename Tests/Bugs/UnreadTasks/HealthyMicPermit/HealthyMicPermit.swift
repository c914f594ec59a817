// Symptom: None; this works.
// Looks at: the asking for the microphone

import Foundation

final class MicDialog: Sendable {
  private let queue = DispatchQueue(label: "microphone dialog")

  func show(answer: @escaping @Sendable (Bool) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.08) { answer(true) }
  }
}

actor MicPermission {
  private let dialog = MicDialog()
  private var granted: Bool?
  private var waiting: [CheckedContinuation<Bool, Never>] = []

  func request() async -> Bool {
    if let granted { return granted }
    return await withCheckedContinuation { continuation in
      waiting.append(continuation)
      guard waiting.count == 1 else { return }
      dialog.show { granted in
        Task { await self.answered(granted) }
      }
    }
  }

  private func answered(_ answer: Bool) {
    granted = answer
    for continuation in waiting { continuation.resume(returning: answer) }
    waiting = []
  }
}

@MainActor
final class LevelMeter {
  private(set) var level = 0

  func prepare() async {
    let table = Task.detached { (0..<200_000).reduce(0) { ($0 &+ $1 &* 7) % 101 } }
    level = await table.value
  }
}

@main
struct RecorderApp {
  @MainActor
  static func main() async {
    let permission = MicPermission()
    let meter = LevelMeter()
    async let recording = permission.request()
    async let dictation = permission.request()
    await meter.prepare()
    print("level \(meter.level)")
    print("recording: \(await recording), dictation: \(await dictation)")
    print("later: \(await permission.request())")
  }
}
