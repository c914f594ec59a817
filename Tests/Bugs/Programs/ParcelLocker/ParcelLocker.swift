// Symptom: I chose compartment 7 for my parcel, and the locker opens compartment 1.
// Looks at: opened (the compartment that opens)
import Foundation
import Varve

struct Compartment: Equatable, Sendable {
  let number: Int
  let isLarge: Bool
}

final class Locker: Sendable {
  private let bolts = QueueScheduler(name: "bolts")

  func open(_ compartment: Compartment) -> SignalProducer<Int, Never> {
    SignalProducer(value: compartment.number).delay(.milliseconds(20), on: bolts)
  }
}

final class LockerModel: Sendable {
  let chosen = MutableProperty(Compartment(number: 1, isLarge: false))
  let code = MutableProperty("")
  let open: Action<Void, Int, Never>
  let opened = MutableProperty<Int?>(nil)

  init(_ locker: Locker) {
    let isCodeComplete = code.map { $0.count == 4 }
    open = Action(enabledIf: isCodeComplete) { [compartment = chosen.value] _ in  // culprit
      locker.open(compartment)
    }
    opened <~ open.values.map(Optional.some).named("opened")
  }
}

final class LockerScreen: Sendable {
  private let model: LockerModel

  init(_ model: LockerModel) {
    self.model = model
    model.opened.signal.skipNil().observeValues { print("compartment \($0) is open") }
    model.chosen.signal.observeValues { print("chosen: \($0.number)") }
  }

  func type(_ code: String) { model.code.value = code }
  func choose(_ number: Int) { model.chosen.value = Compartment(number: number, isLarge: true) }
  func pressOpen() { model.open.apply().start() }
}

let screen = LockerScreen(LockerModel(Locker()))
screen.choose(4)
screen.type("8812")
screen.pressOpen()
Thread.sleep(forTimeInterval: 0.1)
screen.choose(7)
screen.pressOpen()
Thread.sleep(forTimeInterval: 0.1)
