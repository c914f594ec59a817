// Symptom: The first brew runs well. After it, the button "brew" stays grey and does nothing.
// Looks at: brewing (the action of the button)
import Foundation
import Varve

enum BrewNote: Sendable {
  case step(String)
  case degrees(Int)
}

final class Kettle: Sendable {
  let temperature = MutableProperty(20)
  private let heater = QueueScheduler(name: "heater")

  func follow(_ recipe: [String]) -> SignalProducer<String, Never> {
    SignalProducer.interval(recipe, interval: .milliseconds(20), on: heater)
      .on(value: { [temperature] _ in temperature.value += 15 })
  }
}

final class BrewModel: Sendable {
  let brew: Action<[String], BrewNote, Never>
  let log = MutableProperty<[String]>([])

  init(_ kettle: Kettle) {
    brew = Action { recipe in
      kettle.follow(recipe)
        .map(BrewNote.step)
        .merge(with: kettle.temperature.producer.map(BrewNote.degrees))  // culprit
        .named("brewing")
    }
    brew.values.observeValues { [log] note in
      switch note {
      case .step(let text): log.modify { $0.append(text) }
      case .degrees(let degrees): print("\(degrees) °C")
      }
    }
    brew.isExecuting.signal.observeValues { print($0 ? "button is grey" : "button is back") }
  }

  func press(_ recipe: [String]) {
    brew.apply(recipe).startWithFailed { _ in print("nothing happens") }
  }
}

let model = BrewModel(Kettle())
model.press(["mash", "lauter", "boil"])
Thread.sleep(forTimeInterval: 0.25)
model.press(["mash", "boil"])
Thread.sleep(forTimeInterval: 0.2)
model.press(["mash", "boil"])
Thread.sleep(forTimeInterval: 0.2)
print("steps done: \(model.log.value)")
