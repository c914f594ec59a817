// Symptom: none. The dot for unsaved changes appears with the first change, not with the opening.
// Looks at: whether the dot is shown ("dot")

import Foundation
import Varve

final class Draft {
  let text: MutableProperty<String>

  init(_ text: String) { self.text = MutableProperty(text) }
}

final class Disk: Sendable {
  private let queue = QueueScheduler(name: "disk")

  /// Writes a text that stays unchanged for a moment.
  func writeSoon(_ text: String) -> SignalProducer<Int, Never> {
    SignalProducer(value: text).delay(.milliseconds(60), on: queue).map(\.count)
  }
}

final class EditorViewModel {
  let isDirty: Property<Bool>
  let saved: Signal<Int, Never>

  init(draft: Draft, disk: Disk) {
    saved = draft.text.signal.flatMap(.latest) { disk.writeSoon($0) }
    isDirty = Property(
      initial: false,
      then: Signal.merge(draft.text.signal.map(value: true), saved.map(value: false))
        .skipRepeats()
        .named("dot"))
  }
}

let draft = Draft("Dear Ada")
let editor = EditorViewModel(draft: draft, disk: Disk())
editor.saved.observeValues { print("saved \($0) characters") }
editor.isDirty.producer.startWithValues { print($0 ? "● Draft" : "  Draft") }

func type(_ text: String, into draft: Draft) {
  for letter in text {
    draft.text.value.append(letter)
    Thread.sleep(forTimeInterval: 0.01)
  }
}
Thread.sleep(forTimeInterval: 0.1)
type(", thank you", into: draft)
Thread.sleep(forTimeInterval: 0.2)
type(" so much", into: draft)
Thread.sleep(forTimeInterval: 0.2)
print(draft.text.value)
