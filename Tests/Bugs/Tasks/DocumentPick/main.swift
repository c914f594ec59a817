// Symptom: I choose a file to attach, the picker closes, and nothing is attached. The button Attach is
// grey from then on.
// Looks at: the attaching of a file ("attach")

import Foundation

@MainActor
protocol PickerDelegate: AnyObject {
  func picked(_ file: String)
  func cancelled()
}

/// The system's window for choosing a file.
@MainActor
final class FilePicker {
  weak var delegate: (any PickerDelegate)?

  func present() {
    Task {
      try? await Task.sleep(for: .milliseconds(50))
      print("picker: the user chose report.pdf")
      delegate?.picked("report.pdf")
    }
  }
}

@MainActor
final class PickAnswer: PickerDelegate {
  private let continuation: CheckedContinuation<String?, Never>

  init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = continuation }

  func picked(_ file: String) { continuation.resume(returning: file) }
  func cancelled() { continuation.resume(returning: nil) }
}

@MainActor
final class Composer {
  private let picker = FilePicker()
  private(set) var attachments: [String] = []
  private(set) var canAttach = true

  func attach() async {
    canAttach = false
    let file = await withCheckedContinuation { continuation in
      let answer = PickAnswer(continuation)  // culprit
      picker.delegate = answer
      picker.present()
    }
    if let file { attachments.append(file) }
    canAttach = true
  }
}

let composer = Composer()
let attach = Task(name: "attach") { await composer.attach() }
try await Task.sleep(for: .milliseconds(200))
print("attachments: \(composer.attachments), button: \(composer.canAttach ? "blue" : "grey")")
await attach.value
print("the message can be sent")
