// Symptom: I order noodles at the kiosk, pay, and get a number. In the kitchen no slip comes out of
// the printer. The slip for the drinks comes out at the bar.
// Looks at: the order ("order")

import Foundation

struct Order: Sendable {
  let number: Int
  let dishes: [String]
  let drinks: [String]
}

protocol SlipPrinter: Sendable {
  func printSlip(_ lines: [String], number: Int) async throws
}

/// The printers are on the wireless network: a connection takes a moment.
actor NetworkPrinter: SlipPrinter {
  let place: String
  private(set) var printed = 0

  init(place: String) { self.place = place }

  func printSlip(_ lines: [String], number: Int) async throws {
    guard !lines.isEmpty else { return }
    try await connect()
    printed += 1
    print("\(place): no. \(number) \(lines.joined(separator: ", "))")
  }

  private func connect() async throws {
    try await Task.sleep(for: .milliseconds(50))
  }
}

struct CardReader: Sendable {
  func pay(for order: Order) async throws {
    try await Task.sleep(for: .milliseconds(20))
  }
}

actor Kiosk {
  private let kitchen: any SlipPrinter
  private let bar: any SlipPrinter
  private let cards = CardReader()
  private var lastNumber = 40

  init(kitchen: any SlipPrinter, bar: any SlipPrinter) {
    self.kitchen = kitchen
    self.bar = bar
  }

  func order(dishes: [String], drinks: [String]) async throws -> Int {
    lastNumber += 1
    let order = Order(number: lastNumber, dishes: dishes, drinks: drinks)
    try await cards.pay(for: order)
    // The guest need not wait for the kitchen.
    async let _ = kitchen.printSlip(order.dishes, number: order.number)  // culprit
    if !order.drinks.isEmpty {
      try await bar.printSlip(order.drinks, number: order.number)
    }
    return order.number
  }
}

let kitchen = NetworkPrinter(place: "kitchen")
let bar = NetworkPrinter(place: "bar")
let kiosk = Kiosk(kitchen: kitchen, bar: bar)

for (dishes, drinks) in [(["udon"], []), (["ramen", "gyoza"], []), ([], ["tea"])] {
  let ordering = Task(name: "order") {
    try await kiosk.order(dishes: dishes, drinks: drinks)
  }
  print("guest: has number \(try await ordering.value)")
  try await Task.sleep(for: .milliseconds(80))
}
print("slips: kitchen \(await kitchen.printed), bar \(await bar.printed)")
