// Symptom: Somebody has a big poster printed, and all who come after him wait until it is done, even
// for a passport photo. Three of our four printers do nothing meanwhile.
// Looks at: a customer with a small order ("customer 3")

import Foundation

struct Order: Sendable {
  let title: String
  let squareMetres: Double
  let receipt: CheckedContinuation<String, Never>
}

/// The printers in the back room; whoever prints takes a free one.
actor PrinterRoom {
  private var free = 4

  func print(_ order: Order) async -> String {
    while free == 0 { try? await Task.sleep(for: .milliseconds(5)) }
    free -= 1
    defer { free += 1 }
    try? await Task.sleep(for: .milliseconds(Int(order.squareMetres * 200)))
    return "\(order.title) is ready"
  }
}

final class PosterShop: Sendable {
  private let room = PrinterRoom()
  private let orders: AsyncStream<Order>
  private let counter: AsyncStream<Order>.Continuation

  init() { (orders, counter) = AsyncStream.makeStream() }

  func open() async {
    for await order in orders {
      await serve(order)  // culprit
    }
  }

  func close() { counter.finish() }

  func order(_ title: String, squareMetres: Double) async -> String {
    await withCheckedContinuation { receipt in
      counter.yield(Order(title: title, squareMetres: squareMetres, receipt: receipt))
    }
  }

  private func serve(_ order: Order) async {
    order.receipt.resume(returning: await room.print(order))
  }
}

let shop = PosterShop()
let day = Task(name: "shop") { await shop.open() }
let wishes = [("a calendar", 0.2), ("a poster", 2.5), ("a passport photo", 0.05), ("a menu", 0.1)]
var customers: [Task<Void, Never>] = []
for (number, (title, squareMetres)) in wishes.enumerated() {
  customers.append(
    Task(name: "customer \(number + 1)") {
      let clock = ContinuousClock()
      let begin = clock.now
      let receipt = await shop.order(title, squareMetres: squareMetres)
      let taken = (clock.now - begin).formatted(.units(allowed: [.milliseconds]))
      print("\(receipt) after \(taken)")
    })
  try await Task.sleep(for: .milliseconds(60))
}
for customer in customers { await customer.value }
shop.close()
await day.value
