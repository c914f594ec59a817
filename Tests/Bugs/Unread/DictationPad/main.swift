// Symptom: What I dictated is there in the morning, but the last sentence is missing in each of my notes.
// Looks at: the text that is written to the disk ("saved")
import Foundation
import Varve

final class Microphone {
  private let ear = QueueScheduler(name: "ear")

  /// The text so far, whenever there is a new word.
  func dictate(_ text: String) -> SignalProducer<String, Never> {
    let words = text.split(separator: " ").map(String.init)
    return SignalProducer { [ear] observer, lifetime in
      for index in words.indices {
        // People pause after a sentence.
        lifetime += ear.schedule(after: .milliseconds(60 * (index / 3) + 8 * (index % 3))) {
          observer.send(value: words[...index].joined(separator: " "))
          if index == words.count - 1 { observer.sendCompleted() }
        }
      }
    }
  }
}

final class Disk {
  private(set) var files: [String: String] = [:]

  func write(_ text: String, to name: String) { files[name] = text }
}

final class DictationPad {
  private let disk: Disk
  private let saving = QueueScheduler(name: "saving")

  init(disk: Disk) { self.disk = disk }

  func record(_ name: String, _ spoken: SignalProducer<String, Never>) {
    spoken
      .skipRepeats()
      .debounce(.milliseconds(30), on: saving)  // culprit
      .named("saved")
      .startWithValues { [disk] text in disk.write(text, to: name) }
  }
}

let disk = Disk()
let pad = DictationPad(disk: disk)
let microphone = Microphone()
pad.record("Monday", microphone.dictate("Milk is out. Call the dentist. Water the ferns."))
Thread.sleep(forTimeInterval: 0.3)
pad.record("Tuesday", microphone.dictate("Rain all day. Nobody came by. Early to bed."))
Thread.sleep(forTimeInterval: 0.3)
for (name, text) in disk.files.sorted(by: { $0.key < $1.key }) { print("\(name): \(text)") }
