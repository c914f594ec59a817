// Symptom: Customers who pick up their plants get no confirmation by mail. Those to whom we deliver
// do get one.
// Looks at: an order that is picked up ("order 2")

import Foundation

struct Order: Sendable {
  let number: Int
  let plants: [String]
  let isDelivered: Bool
}

actor Mailer {
  private(set) var sent: [Int] = []

  func confirm(_ order: Order) async throws {
    let text = try await letter(for: order)
    if !text.isEmpty { sent.append(order.number) }
  }

  private func letter(for order: Order) async throws -> String {
    try await Task.sleep(for: .milliseconds(40))
    return order.plants.joined(separator: "\n")
  }
}

actor Nursery {
  private var reserved: [String: Int] = [:]

  func reserve(_ plants: [String]) {
    for plant in plants { reserved[plant, default: 0] += 1 }
  }
}

struct Courier: Sendable {
  func book(_ order: Order) async throws -> String {
    try await Task.sleep(for: .milliseconds(150))
    return "V-\(order.number * 37)"
  }
}

struct Shop: Sendable {
  let mailer = Mailer()
  let nursery = Nursery()
  let courier = Courier()

  func place(_ order: Order) async throws -> String {
    await nursery.reserve(order.plants)
    // Nobody has to wait for the mail.
    async let _ = mailer.confirm(order)  // culprit
    guard order.isDelivered else { return "is ready at the gate" }
    return "comes with van \(try await courier.book(order))"
  }
}

let shop = Shop()
let orders = [
  Order(number: 1, plants: ["fern", "ivy"], isDelivered: true),
  Order(number: 2, plants: ["rose"], isDelivered: false),
  Order(number: 3, plants: ["box", "box", "yew"], isDelivered: true),
  Order(number: 4, plants: ["mint"], isDelivered: false),
]
let placed = orders.map { order in
  Task(name: "order \(order.number)") { try await shop.place(order) }
}
for (order, task) in zip(orders, placed) {
  print("order \(order.number) \(try await task.value)")
}
try await Task.sleep(for: .milliseconds(300))
print("confirmed by mail: \(await shop.mailer.sent.sorted())")
