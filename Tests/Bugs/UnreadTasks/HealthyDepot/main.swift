// Symptom: None; the vans load at the same time, and the books agree with the shelf.
// Looks at: the loading of a van ("van 3")

import Foundation

actor AuditLog {
  private(set) var lines: [String] = []

  func write(_ line: String) async {
    try? await Task.sleep(for: .milliseconds(5))
    lines.append(line)
  }
}

actor Depot {
  private var stock: [String: Int]
  let audit = AuditLog()

  init(stock: [String: Int]) { self.stock = stock }

  func take(_ count: Int, of article: String, for van: Int) async -> Bool {
    guard stock[article, default: 0] >= count else { return false }
    stock[article, default: 0] -= count
    await audit.write("van \(van): \(count) × \(article)")
    return true
  }

  func count(of article: String) -> Int { stock[article, default: 0] }
}

let depot = Depot(stock: ["blanket": 250])
var loaded = 0
for tour in 1...3 {
  let vans = (1...5).map { van in
    Task(name: "van \(van)") { await depot.take(20, of: "blanket", for: van) ? 20 : 0 }
  }
  for van in vans { loaded += await van.value }
  let inTheBooks = await depot.count(of: "blanket")
  print("tour \(tour): on the shelf \(250 - loaded), in the books \(inTheBooks)")
}
print("\(await depot.audit.lines.count) lines in the log")
