// Symptom: I undo my changes one by one. After I have undone everything and written something new,
// “Undo” is grey for good.
// Looks at: canUndo (whether the menu item is black)
import Foundation
import Varve

final class Document {
  let text = MutableProperty("")
  let depth = MutableProperty(0)
  private var history: [String] = []

  func write(_ words: String) {
    history.append(text.value)
    text.value += words
    depth.value = history.count
  }

  func undo() {
    guard let last = history.popLast() else { return }
    text.value = last
    depth.value = history.count
  }
}

final class EditMenu {
  let canUndo = MutableProperty(false)
  let title = MutableProperty("Undo")

  init(_ document: Document) {
    let changes = document.depth.producer.skip(while: { $0 == 0 })
    canUndo
      <~ changes
      .take(until: { $0 > 0 })  // culprit
      .map { $0 > 0 }
      .skipRepeats()
    title <~ document.depth.producer.map { $0 > 1 ? "Undo (\($0))" : "Undo" }
  }
}

let document = Document()
let menu = EditMenu(document)
menu.canUndo.producer.named("canUndo").startWithValues { print("Undo is \($0 ? "black" : "grey")") }

document.write("Dear Sir")
document.write(" or Madam,")
document.undo()
document.undo()
document.write("Hello,")
document.write(" how are you?")
Thread.sleep(forTimeInterval: 0.05)
print("\(menu.title.value): \(menu.canUndo.value)")
