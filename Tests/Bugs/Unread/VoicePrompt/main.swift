// Symptom: I dictate a message and close the sheet while it still says "Listening back…". A moment
// later the whole app is gone.
// Looks at: the text that was understood ("transcript")

import Foundation
import Varve

struct Recording: Sendable {
  var seconds: Double
  var words: [String]
}

protocol Transcribing: Sendable {
  func transcript(of recording: Recording) -> SignalProducer<String, Never>
}

struct CloudTranscriber: Transcribing {
  private let network = QueueScheduler(name: "speech")

  func transcript(of recording: Recording) -> SignalProducer<String, Never> {
    SignalProducer(value: recording.words.joined(separator: " "))
      .delay(.milliseconds(Int(recording.seconds * 20)), on: network)
  }
}

final class DictationSheet: Sendable {
  let message = MutableProperty("")
  private let transcriber: any Transcribing

  init(transcriber: any Transcribing) {
    self.transcriber = transcriber
  }

  func finish(_ recording: Recording) {
    transcriber.transcript(of: recording)
      .observe(on: ui)
      .named("transcript")
      .startWithValues { [unowned self] text in  // culprit
        message.value += message.value.isEmpty ? text : " " + text
      }
  }
}

final class ChatCoordinator {
  private var sheet: DictationSheet?

  func presentDictation() -> DictationSheet {
    let sheet = DictationSheet(transcriber: CloudTranscriber())
    sheet.message.signal.observeValues { print("message: \($0)") }
    self.sheet = sheet
    return sheet
  }

  func dismissDictation() { sheet = nil }
}

let ui = QueueScheduler(name: "ui")
let coordinator = ChatCoordinator()

for (number, words) in ["see you at eight", "bring the blue umbrella"].enumerated() {
  let isImpatient = number == 1
  let recording = Recording(seconds: 3, words: words.components(separatedBy: " "))
  ui.queue.sync { coordinator.presentDictation().finish(recording) }
  Thread.sleep(forTimeInterval: isImpatient ? 0.02 : 0.2)
  ui.queue.sync { coordinator.dismissDictation() }
  print("sheet closed")
  fflush(nil)
  Thread.sleep(forTimeInterval: 0.2)
}
