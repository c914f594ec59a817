// Symptom: The checkout works and answers at once, but not one customer has had a receipt by mail
// since we made it faster.
// Looks at: the checkout ("checkout 1")

import Foundation

struct Order: Sendable {
  let number: Int
  let mail: String
  let cents: Int
}

protocol PaymentGateway: Sendable {
  func charge(_ cents: Int) async throws -> String
}

protocol ReceiptSender: Sendable {
  func sendReceipt(for order: Order, payment: String) async throws
}

struct TestGateway: PaymentGateway {
  func charge(_ cents: Int) async throws -> String {
    try await Task.sleep(for: .milliseconds(20))
    return "pay_\(cents)"
  }
}

actor SmtpSender: ReceiptSender {
  private(set) var sent: [String] = []

  func sendReceipt(for order: Order, payment: String) async throws {
    // The greeting of the mail server.
    try await Task.sleep(for: .milliseconds(40))
    sent.append("\(order.mail): \(payment)")
  }
}

struct CheckoutHandler<Gateway: PaymentGateway, Sender: ReceiptSender>: Sendable {
  let gateway: Gateway
  let receipts: Sender

  func callAsFunction(_ order: Order) async throws -> String {
    let payment = try await gateway.charge(order.cents)
    async let _ = receipts.sendReceipt(for: order, payment: payment)  // culprit
    return "202 order \(order.number) paid with \(payment)"
  }
}

let sender = SmtpSender()
let checkout = CheckoutHandler(gateway: TestGateway(), receipts: sender)

for number in 1...4 {
  let order = Order(number: number, mail: "c\(number)@example.org", cents: 1_000 + number)
  let request = Task(name: "checkout \(number)") { try await checkout(order) }
  print(try await request.value)
}
// Whatever is still on its way has time to arrive.
try await Task.sleep(for: .milliseconds(200))
print("receipts: \(await sender.sent)")
