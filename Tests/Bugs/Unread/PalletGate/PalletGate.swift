// Symptom: The gate does not open for a lorry if the scanner misread its first label.
// Looks at: permit (what opens the gate)

import Foundation
import Varve

struct Label: Sendable {
  let text: String

  /// The last digit is a check on the others.
  var isSound: Bool {
    let digits = text.compactMap(\.wholeNumberValue)
    guard digits.count == 5, let check = digits.last else { return false }
    return digits.dropLast().reduce(0, +) % 10 == check
  }
}

final class LabelScanner: Sendable {
  let labels: Signal<Label, Never>
  private let input: Signal<Label, Never>.Observer

  init() {
    (labels, input) = Signal.pipe(named: "labels")
  }

  func read(_ text: String) {
    input.send(value: Label(text: text))
  }
}

final class Gate: Sendable {
  let scanner = LabelScanner()
  let openings = MutableProperty<[String]>([], named: "openings")

  /// Opens once, for the first sound label of the lorry.
  func lorryArrived() {
    scanner.labels
      .take(first: 1)  // culprit
      .filter(\.isSound)
      .named("permit")
      .observeValues { [openings] label in openings.modify { $0.append(label.text) } }
  }
}

let gate = Gate()
let lorries = [["12339"], ["12?49", "45110", "45110"], ["70018", "70018"]]
for labels in lorries {
  gate.lorryArrived()
  for label in labels {
    gate.scanner.read(label)
    Thread.sleep(forTimeInterval: 0.01)
  }
}
print("\(lorries.count) lorries, opened for \(gate.openings.value.joined(separator: ", "))")
