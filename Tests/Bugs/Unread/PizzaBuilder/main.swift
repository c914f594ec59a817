// Symptom: I choose a bigger size of pizza, and the price stays. Only when I change the toppings too it
// moves, and then it is the price of an older choice.
// Looks at: the price on the button ("price")

import Foundation
import Varve

enum Size: Int, Sendable {
  case small = 700
  case normal = 900
  case family = 1_500
}

struct Topping: Sendable {
  let name: String
  let cents: Int
}

struct PriceList: Sendable {
  let rebate: Int

  func price(_ size: Size, _ toppings: [Topping]) -> Int {
    let full = size.rawValue + toppings.reduce(0) { $0 + $1.cents }
    return full * (100 - rebate) / 100
  }
}

protocol BuilderInputs {
  func choose(_ size: Size)
  func add(_ topping: Topping)
}

protocol BuilderOutputs {
  var buttonTitle: Property<String> { get }
}

final class PizzaBuilderModel: BuilderInputs, BuilderOutputs, Sendable {
  let buttonTitle: Property<String>
  private let size = MutableProperty(Size.normal)
  private let toppings = MutableProperty<[Topping]>([])

  init(prices: PriceList) {
    let price = SignalProducer.zip(size.producer, toppings.producer)  // culprit
      .map { size, toppings in prices.price(size, toppings) }
      .named("price")
    buttonTitle = Property(
      initial: "…", then: price.map { String(format: "Add for %.2f €", Double($0) / 100) })
  }

  func choose(_ size: Size) { self.size.value = size }
  func add(_ topping: Topping) { toppings.modify { $0.append(topping) } }
}

let model = PizzaBuilderModel(prices: PriceList(rebate: 10))
let inputs: any BuilderInputs = model

func step(_ what: String, _ change: (any BuilderInputs) -> Void) {
  change(inputs)
  Thread.sleep(forTimeInterval: 0.03)
  print("\(what): \(model.buttonTitle.value)")
}

step("at first") { _ in }
step("family") { $0.choose(.family) }
step("small") { $0.choose(.small) }
step("family again") { $0.choose(.family) }
step("olives") { $0.add(Topping(name: "olives", cents: 100)) }
step("ham") { $0.add(Topping(name: "ham", cents: 150)) }
