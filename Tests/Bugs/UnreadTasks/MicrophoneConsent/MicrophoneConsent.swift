// Symptom: If dictation and the tuner ask for the microphone while the question is on the screen,
// dictation waits for ever. The tuner starts.
// Looks at: the dictation ("dictation")

import Foundation

/// Asks the user, and answers by its delegate.
///
/// Safety: it changes on its queue alone.
final class ConsentPanel: @unchecked Sendable {
  weak var delegate: MicrophoneAccess?
  private let screen = DispatchQueue(label: "screen")
  private var isShown = false

  func show() {
    screen.async {
      guard !self.isShown else { return }
      self.isShown = true
      self.screen.asyncAfter(deadline: .now() + 0.06) {
        self.isShown = false
        self.delegate?.panelWasAnswered(granted: true)
      }
    }
  }
}

/// Safety: the lock guards what is waiting.
final class MicrophoneAccess: @unchecked Sendable {
  private let panel = ConsentPanel()
  private let lock = NSLock()
  private var waiting: UnsafeContinuation<Bool, Never>?

  init() {
    panel.delegate = self
  }

  func request() async -> Bool {
    await withUnsafeContinuation { answer in
      lock.withLock {
        waiting = answer  // culprit
      }
      panel.show()
    }
  }

  func panelWasAnswered(granted: Bool) {
    let answer = lock.withLock {
      defer { waiting = nil }
      return waiting
    }
    answer?.resume(returning: granted)
  }
}

let access = MicrophoneAccess()
let dictation = Task(name: "dictation") {
  guard await access.request() else { return print("no dictation without a microphone") }
  print("dictation listens")
}
let tuner = Task(name: "tuner") {
  try? await Task.sleep(for: .milliseconds(20))
  guard await access.request() else { return print("no tuner without a microphone") }
  print("tuner listens")
}
await tuner.value
await dictation.value
