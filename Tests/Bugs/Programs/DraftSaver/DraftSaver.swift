// Symptom: I wrote a message and pressed “Save draft”. The button blinked, but there is no draft in the
// folder when I come back.
// Looks at: drafts (the list in the folder)
import Foundation
import Varve

struct Draft {
  let to: String
  let text: String
}

final class DraftFolder {
  let drafts = MutableProperty<[String]>([])
  private let disk = QueueScheduler(name: "disk")

  func save(_ draft: Draft) -> SignalProducer<Int, Never> {
    SignalProducer { [drafts] in
      drafts.modify { list -> Int in
        list.append("\(draft.to): \(draft.text)")
        return list.count
      }
    }
    .start(on: disk)
  }

  func clear() -> SignalProducer<Void, Never> {
    SignalProducer { [drafts] in drafts.value = [] }.start(on: disk)
  }
}

final class ComposeScreen {
  let to = MutableProperty("")
  let text = MutableProperty("")
  private let folder: DraftFolder
  private let (saveTaps, saveTap) = Signal<Void, Never>.pipe()

  init(_ folder: DraftFolder) {
    self.folder = folder
    to.combineLatest(with: text).producer
      .map { Draft(to: $0, text: $1) }
      .sample(on: saveTaps)
      .filter { !$0.text.isEmpty }
      .startWithValues { draft in
        _ = folder.save(draft)  // culprit
      }
  }

  func pressSave() {
    print("(blink)")
    saveTap.send(value: ())
  }
}

let folder = DraftFolder()
folder.clear().start()
folder.drafts.signal.named("drafts").observeValues { print("folder: \($0)") }

let screen = ComposeScreen(folder)
screen.to.value = "Jonas"
screen.text.value = "See you at eight, bring the"
screen.pressSave()
screen.text.value = "See you at eight, bring the projector"
screen.pressSave()
Thread.sleep(forTimeInterval: 0.2)
print("drafts: \(folder.drafts.value.count)")
