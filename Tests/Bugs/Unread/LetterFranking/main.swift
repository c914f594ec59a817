// Symptom: The first letter gets its stamp. From the second one on the button does nothing.
// Looks at: frank (the button)
import Foundation
import Varve

struct Letter {
  let number: Int
  let grams: Int
}

struct Stamp {
  let letter: Int
  let cents: Int
}

final class FrankingMachine {
  let stamps: Signal<Stamp, Never>
  private let input: Signal<Stamp, Never>.Observer
  private let rollers = QueueScheduler(name: "rollers")

  init() { (stamps, input) = Signal.pipe() }

  func feed(_ letter: Letter) {
    rollers.schedule(after: .milliseconds(15)) { [input] in
      input.send(value: Stamp(letter: letter.number, cents: letter.grams > 20 ? 180 : 95))
    }
  }
}

final class CounterModel {
  let frank: Action<Letter, Stamp, Never>
  let total = MutableProperty(0)

  init(_ machine: FrankingMachine) {
    frank = Action(named: "frank") { letter in
      machine.stamps.producer.filter { $0.letter == letter.number }  // culprit
        .on(started: { machine.feed(letter) })
    }
    frank.values.observeValues { [total] stamp in total.value += stamp.cents }
  }

  func press(_ letter: Letter) { frank.apply(letter).start() }
}

let model = CounterModel(FrankingMachine())
for number in 1...5 {
  model.press(Letter(number: number, grams: 12 * number))
  Thread.sleep(forTimeInterval: 0.08)
}
print("5 letters, \(model.total.value) cents")
