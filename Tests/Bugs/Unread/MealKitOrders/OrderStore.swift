import Varve

struct Order: Sendable {
  enum Status: String {
    case packing = "being packed"
    case onTheWay = "on the way"
    case delivered = "at your door"
  }

  let id: Int
  var box: String
  var meals: Int
  var status: Status
}

final class OrderStore: Sendable {
  private let orders = MutableProperty<[Int: Order]>([:])

  func receive(_ order: Order) {
    orders.modify { $0[order.id] = order }
  }

  func update(_ id: Int, _ change: (inout Order) -> Void) {
    orders.modify { all in
      guard var order = all[id] else { return }
      change(&order)
      all[id] = order
    }
  }

  func order(_ id: Int) -> SignalProducer<Order, Never> {
    orders.producer
      .compactMap { $0[id] }
      .skipRepeats { $0.id == $1.id && $0.box == $1.box && $0.meals == $1.meals }  // culprit
  }
}

final class OrderRow {
  let caption: Property<String>

  init(_ order: SignalProducer<Order, Never>) {
    caption = Property(
      initial: "…",
      then: order.map { "\($0.box), \($0.meals) meals: \($0.status.rawValue)" })
  }
}
