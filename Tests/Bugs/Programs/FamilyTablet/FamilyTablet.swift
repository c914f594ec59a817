// Symptom: My sister signed out and I signed in, and the shop shows her orders as mine. I have not
// ordered anything yet.
// Looks at: orders (the list on the page)
import Foundation
import Varve

struct User: Equatable {
  let name: String
}

final class OrderServer: Sendable {
  private let network = QueueScheduler(name: "orders")
  private let orders = ["Lena": ["Headphones", "Rain coat"], "Paul": ["Football"]]

  /// The orders of a user; completes without any if there are none.
  func orders(of user: User) -> SignalProducer<[String], Never> {
    SignalProducer(orders[user.name].map { [$0] } ?? [])
      .delay(.milliseconds(20), on: network)
  }
}

final class Session {
  let user = MutableProperty<User?>(nil)

  func signIn(_ name: String) { user.value = User(name: name) }
  func signOut() { user.value = nil }
}

final class OrderPage {
  let orders: Property<[String]>
  let title: Property<String>

  init(_ session: Session, _ server: OrderServer) {
    title = session.user.map { $0.map { "Orders of \($0.name)" } ?? "Please sign in" }
    orders = Property(
      initial: [],
      then: session.user.producer
        .skipNil()  // culprit
        .skipRepeats()
        .flatMap(.latest) { server.orders(of: $0) })
  }

  func draw() { print("\(title.value): \(orders.value)") }
}

let session = Session()
let page = OrderPage(session, OrderServer())
page.orders.signal.named("orders").observeValues { print("(\($0.count) orders loaded)") }

for name in ["Paul", "Lena", "Timo"] {
  session.signIn(name)
  Thread.sleep(forTimeInterval: 0.1)
  page.draw()
  session.signOut()
  Thread.sleep(forTimeInterval: 0.02)
}
page.draw()
