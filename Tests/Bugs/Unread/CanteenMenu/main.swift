// Symptom: I told the canteen's app that I must not eat nuts, and now it recommends the walnut bread and
// nothing that I could eat.
// Looks at: the dishes for me ("dishes")
import Foundation
import Varve

enum Allergen: Hashable {
  case nuts
  case milk
  case gluten
}

struct Dish {
  let name: String
  let allergens: Set<Allergen>
}

final class Canteen {
  private let server = QueueScheduler(name: "canteen")

  func menu() -> SignalProducer<Dish, Never> {
    let dishes = [
      Dish(name: "Tomato soup", allergens: []),
      Dish(name: "Rice with peas", allergens: []),
      Dish(name: "Walnut bread", allergens: [.nuts, .gluten]),
      Dish(name: "Lentil stew", allergens: []),
      Dish(name: "Fruit salad", allergens: []),
    ]
    return SignalProducer.interval(dishes, interval: .milliseconds(8), on: server)
  }
}

struct Guest {
  let name: String
  var avoids: Set<Allergen>
}

final class MenuModel {
  let recommended = MutableProperty<[String]>([])

  func load(_ canteen: Canteen, for guest: Guest) {
    canteen.menu()
      .filter { !guest.avoids.isDisjoint(with: $0.allergens) }  // culprit
      .map(\.name)
      .named("dishes")
      .startWithValues { [recommended] name in recommended.modify { $0.append(name) } }
  }
}

let menu = MenuModel()
menu.load(Canteen(), for: Guest(name: "Ilse", avoids: [.nuts]))
Thread.sleep(forTimeInterval: 0.15)
print("for you today: \(menu.recommended.value.joined(separator: ", "))")
