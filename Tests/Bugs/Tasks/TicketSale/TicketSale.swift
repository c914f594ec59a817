// Symptom: More tickets are sold than there are seats.
// Looks at: the sales ("sale")

import Foundation

struct Bank: Sendable {
  func charge(_ cents: Int) async -> Bool {
    try? await Task.sleep(for: .milliseconds(10))
    return cents < 10_000
  }
}

actor Hall {
  private let bank = Bank()
  private(set) var free = 5
  private(set) var sold: [String] = []

  func sell(to customer: String) async -> Bool {
    guard free > 0 else { return false }
    guard await bank.charge(2_500) else { return false }  // culprit
    free -= 1
    sold.append(customer)
    return true
  }
}

let hall = Hall()
let sales = (1...9).map { number in
  Task(name: "sale") { await hall.sell(to: "customer \(number)") }
}
for sale in sales { _ = await sale.value }
print("\(await hall.sold.count) tickets sold, \(await hall.free) seats free")
