// Symptom: Two windows of our till ask me something at the same time. I answer the question that I see,
// and the other window is dead from then on.
// Looks at: the question of the stock window ("stock")

import Foundation

/// The one place on the screen for questions.
@MainActor
final class QuestionBar {
  private(set) var question: String?
  private var answer: CheckedContinuation<Bool, Never>?

  func ask(_ text: String) async -> Bool {
    question = text
    return await withCheckedContinuation { continuation in
      answer = continuation  // culprit
    }
  }

  func press(yes: Bool) {
    question = nil
    answer?.resume(returning: yes)
    answer = nil
  }
}

@MainActor
final class Window {
  let name: String
  private let bar: QuestionBar
  private(set) var isBusy = false

  init(_ name: String, bar: QuestionBar) {
    self.name = name
    self.bar = bar
  }

  func confirm(_ text: String) async {
    isBusy = true
    let isConfirmed = await bar.ask(text)
    print("\(name): \(isConfirmed ? "done" : "left as it is")")
    isBusy = false
  }
}

let bar = QuestionBar()
let stock = Window("stock", bar: bar)
let sales = Window("sales", bar: bar)
let ordering = Task(name: "stock") { await stock.confirm("Order 40 more?") }
try await Task.sleep(for: .milliseconds(30))
let closing = Task(name: "sales") { await sales.confirm("Close the day?") }
try await Task.sleep(for: .milliseconds(30))
print("on the screen: \(bar.question ?? "nothing")")
bar.press(yes: true)
await closing.value
print("on the screen: \(bar.question ?? "nothing"), stock is busy: \(stock.isBusy)")
await ordering.value
print("the day is closed")
