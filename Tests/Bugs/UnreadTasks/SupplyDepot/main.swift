// Symptom: At the end of the day our depot has more blankets in the books than on the shelf. The more
// vans load at the same time, the more.
// Looks at: the loading of a van ("van 3")

import Foundation

actor AuditLog {
  private var lines: [String] = []

  func write(_ line: String) async {
    try? await Task.sleep(for: .milliseconds(5))
    lines.append(line)
  }
}

actor Depot {
  private var stock: [String: Int]
  private let audit = AuditLog()

  init(stock: [String: Int]) { self.stock = stock }

  func take(_ count: Int, of article: String, for van: Int) async -> Bool {
    let available = stock[article, default: 0]
    guard available >= count else { return false }
    await audit.write("van \(van): \(count) × \(article)")  // culprit
    stock[article] = available - count
    return true
  }

  func count(of article: String) -> Int { stock[article, default: 0] }
}

let depot = Depot(stock: ["blanket": 400, "tent": 30])
var loaded = 0
for tour in 1...3 {
  let vans = (1...5).map { van in
    Task(name: "van \(van)") { await depot.take(20, of: "blanket", for: van) ? 20 : 0 }
  }
  for van in vans { loaded += await van.value }
  let inTheBooks = await depot.count(of: "blanket")
  print("tour \(tour): on the shelf \(400 - loaded), in the books \(inTheBooks)")
}
