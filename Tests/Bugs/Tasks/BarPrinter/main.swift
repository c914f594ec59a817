// Symptom: The printer in the bar jammed on one order. The waiter pulled the paper straight, the
// lamp is green, and no order has been printed since. The till goes on taking them.
// Looks at: what prints the orders ("bar")

import Foundation

struct Order: Sendable {
  let table: Int
  let drinks: [String]
}

enum PrinterError: Error {
  case jam
}

final class Till: Sendable {
  let orders: AsyncStream<Order>
  private let input: AsyncStream<Order>.Continuation

  init() { (orders, input) = AsyncStream.makeStream(of: Order.self) }

  func take(_ order: Order) { input.yield(order) }

  func close() { input.finish() }
}

actor Printer {
  private(set) var paper: [String] = []

  func print(_ order: Order) async throws {
    try await Task.sleep(for: .milliseconds(10))
    // A long list of drinks makes a long slip, and that gets caught.
    guard order.drinks.count < 6 else { throw PrinterError.jam }
    paper.append("\(order.table): \(order.drinks.joined(separator: ", "))")
  }
}

actor EventLog {
  private(set) var lines: [String] = []

  func note(_ line: String) { lines.append(line) }
}

struct Bar: Sendable {
  let printer = Printer()
  let log = EventLog()

  func serve(_ till: Till) async {
    do {
      for await order in till.orders {
        try await printer.print(order)  // culprit
        await log.note("table \(order.table) printed")
      }
    } catch {
      await log.note("printer: \(error)")
    }
  }
}

let till = Till()
let bar = Bar()
let serving = Task(name: "bar") { await bar.serve(till) }
for table in 1...8 {
  let drinks = (0..<(table == 3 ? 7 : 2)).map { ["beer", "cider", "water"][$0 % 3] }
  till.take(Order(table: table, drinks: drinks))
  try await Task.sleep(for: .milliseconds(40))
}
till.close()
await serving.value
print("log: \(await bar.log.lines)")
print("printed: \(await bar.printer.paper.count) of 8 orders")
