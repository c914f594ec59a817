// Symptom: I bring back tools during my shift, and the list of returns stays empty.
// Looks at: returns (the list of returns)
import Foundation
import Varve

struct Tool: Sendable {
  let name: String
  let isDamaged: Bool
}

final class Counter: Sendable {
  let scanned: Signal<Tool, Never>
  private let input: Signal<Tool, Never>.Observer

  init() { (scanned, input) = Signal.pipe() }

  func scan(_ name: String, isDamaged: Bool = false) {
    input.send(value: Tool(name: name, isDamaged: isDamaged))
  }
}

final class Shift: Sendable {
  let clerk: String
  let isOver = MutableProperty(false)

  init(clerk: String) { self.clerk = clerk }
}

final class ReturnModel: Sendable {
  let returns = MutableProperty<[String]>([])
  let repairs = MutableProperty(0)

  init(counter: Counter, shift: Shift) {
    let ofShift = counter.scanned
      .producer
      .take(until: shift.isOver.producer.map { _ in })  // culprit
    returns
      <~ ofShift
      .map(\.name)
      .scan([]) { $0 + [$1] }
      .named("returns")
    repairs
      <~ ofShift
      .filter(\.isDamaged)
      .scan(0) { count, _ in count + 1 }
  }
}

let counter = Counter()
let shift = Shift(clerk: "Ines")
let model = ReturnModel(counter: counter, shift: shift)
model.returns.signal.observeValues { print("returned: \($0)") }
for tool in ["drill", "saw", "ladder"] {
  counter.scan(tool, isDamaged: tool == "saw")
  Thread.sleep(forTimeInterval: 0.02)
}
shift.isOver.value = true
counter.scan("jack")
print("\(shift.clerk): \(model.returns.value.count) returns, \(model.repairs.value) repairs")
