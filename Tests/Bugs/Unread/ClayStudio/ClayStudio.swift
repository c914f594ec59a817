// Symptom: I weigh the clay and press “Print label” once. From then on the printer spits out a label
// whenever somebody touches the scale.
// Looks at: labels (what comes out of the printer)
import Foundation
import Varve

final class Scale {
  let grams = MutableProperty(0)

  func load(_ values: [Int]) {
    for value in values {
      grams.value = value
      Thread.sleep(forTimeInterval: 0.005)
    }
  }
}

struct Label: Sendable {
  let kiln: String
  let grams: Int
  var text: String { "\(kiln): \(grams) g" }
}

final class LabelDesk {
  let labels: Signal<Label, Never>
  private let (presses, press) = Signal<String, Never>.pipe()

  init(_ scale: Scale, on printer: QueueScheduler) {
    labels = scale.grams.signal
      .skipRepeats { abs($0 - $1) < 2 }
      .withLatest(from: presses)  // culprit
      .map { grams, kiln in Label(kiln: kiln, grams: grams) }
      .filter { $0.grams > 20 }
      .observe(on: printer)
      .named("labels")
  }

  func printLabel(for kiln: String) { press.send(value: kiln) }
}

let scale = Scale()
let desk = LabelDesk(scale, on: QueueScheduler(name: "printer"))
desk.labels.observeValues { print("printed \($0.text)") }
scale.load([120, 480, 493, 500])
desk.printLabel(for: "Kiln 2")
Thread.sleep(forTimeInterval: 0.05)
print("(the next one puts his clay on the scale)")
scale.load([380, 210, 60, 0, 90, 340, 720, 815, 804, 810])
scale.load([600, 300, 0, 250, 260, 190, 230])
Thread.sleep(forTimeInterval: 0.1)
