// Symptom: Shops complain that they never got the webhook of some of their orders. In quiet hours
// all of them arrive; nothing is logged as failed.
// Looks at: the deliveries ("deliver")

import Foundation

struct Webhook: Sendable {
  var order: Int
  var event: String
  var shop: String
}

/// The servers of the shops.
actor ShopEndpoints {
  private var received: [String: Set<Int>] = [:]

  func post(_ webhook: Webhook) async throws {
    try await Task.sleep(for: .milliseconds(4))
    received[webhook.shop, default: []].insert(webhook.order)
  }

  func orders(of shop: String) -> Set<Int> {
    received[shop] ?? []
  }
}

final class WebhookOutbox: Sendable {
  private let pending: AsyncStream<Webhook>
  private let continuation: AsyncStream<Webhook>.Continuation
  private let endpoints: ShopEndpoints

  init(endpoints: ShopEndpoints) {
    self.endpoints = endpoints
    (pending, continuation) = AsyncStream.makeStream(
      of: Webhook.self,
      bufferingPolicy: .bufferingNewest(32)  // culprit
    )
  }

  func submit(_ webhook: Webhook) {
    continuation.yield(webhook)
  }

  /// Delivers until the outbox is closed and empty.
  func run() async {
    for await webhook in pending {
      await deliver(webhook)
    }
  }

  func close() {
    continuation.finish()
  }

  private func deliver(_ webhook: Webhook) async {
    for attempt in 1...3 {
      do {
        try await endpoints.post(webhook)
        return
      } catch {
        print("order \(webhook.order): attempt \(attempt) failed: \(error)")
      }
    }
  }
}

struct OrderService: Sendable {
  let outbox: WebhookOutbox
  let shops = ["books", "shoes", "tea"]

  func place(_ order: Int) {
    let shop = shops[order % shops.count]
    outbox.submit(Webhook(order: order, event: "order.placed", shop: shop))
  }
}

let endpoints = ShopEndpoints()
let outbox = WebhookOutbox(endpoints: endpoints)
let service = OrderService(outbox: outbox)
let delivery = Task(name: "deliver") { await outbox.run() }

for order in 1...20 {
  service.place(order)
  try await Task.sleep(for: .milliseconds(8))
}
// The sale begins.
for order in 21...140 { service.place(order) }
outbox.close()
await delivery.value

for (index, shop) in service.shops.enumerated() {
  let placed = (1...140).filter { $0 % service.shops.count == index }
  let missing = Set(placed).subtracting(await endpoints.orders(of: shop))
  print("\(shop): \(placed.count) orders, no webhook for \(missing.count) of them")
}
