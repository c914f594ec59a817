// Symptom: None; this works.
// Looks at: the sales ("sale")

import Foundation

func charge(_ cents: Int) async -> Bool {
  try? await Task.sleep(for: .milliseconds(8))
  return cents < 10_000
}

actor Hall {
  private var free = 5
  private(set) var sold: [String] = []

  func sell(to customer: String, for cents: Int) async -> Bool {
    guard free > 0 else { return false }
    free -= 1
    guard await charge(cents) else {
      free += 1
      return false
    }
    sold.append(customer)
    return true
  }
}

let hall = Hall()
let sales = (1...9).map { number in
  Task(name: "sale") {
    await hall.sell(to: "customer \(number)", for: number == 2 ? 12_000 : 2_500)
  }
}
for sale in sales { _ = await sale.value }
print("\(await hall.sold.count) tickets sold")
