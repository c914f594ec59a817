// Symptom: none. The button is back after each brew, and a recipe that is empty is refused with a
// message.
// Looks at: brewing (the action of the button)
import Foundation
import Varve

enum BrewError: Error {
  case emptyRecipe
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
  let brew: Action<[String], String, BrewError>
  let steps = MutableProperty<[String]>([])
  let message = MutableProperty("")

  init(_ kettle: Kettle) {
    brew = Action { recipe in
      recipe.isEmpty
        ? SignalProducer(error: .emptyRecipe)
        : kettle.follow(recipe).promoteError(BrewError.self).named("brewing")
    }
    brew.values.observeValues { [steps] step in steps.modify { $0.append(step) } }
    message <~ brew.errors.map { "cannot brew: \($0)" }
  }

  func press(_ recipe: [String]) { brew.apply(recipe).start() }
}

let model = BrewModel(Kettle())
model.message.signal.observeValues { print($0) }
model.brew.isExecuting.signal.observeValues { print($0 ? "button is grey" : "button is back") }
for recipe in [["mash", "lauter"], [], ["mash", "boil"]] {
  model.press(recipe)
  Thread.sleep(forTimeInterval: 0.2)
}
print("steps: \(model.steps.value)")
