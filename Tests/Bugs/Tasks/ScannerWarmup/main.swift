// Symptom: While the lamp of the scanner warms up, the app wakes hundreds of times and the battery
// runs down.
// Looks at: the scan ("scan")

import Foundation

/// The scanner's lamp; it needs a moment before the first scan.
actor Lamp {
  private(set) var isWarm = false
  private(set) var questions = 0

  func switchOn() {
    Task(name: "lamp") {
      try? await Task.sleep(for: .milliseconds(450))
      isWarm = true
    }
  }

  func isReady() -> Bool {
    questions += 1
    return isWarm
  }
}

struct Scan: Sendable {
  var page: Int
  var bytes: Int
}

struct Scanner: Sendable {
  let lamp = Lamp()

  func scan(_ pages: Int) async -> [Scan] {
    await lamp.switchOn()
    while await !lamp.isReady() { try? await Task.sleep(for: .milliseconds(1)) }  // culprit
    var scans: [Scan] = []
    for page in 1...pages {
      try? await Task.sleep(for: .milliseconds(20))
      scans.append(Scan(page: page, bytes: 4_000 + page))
    }
    return scans
  }
}

let scanner = Scanner()
print("The lamp warms up …")
let scanning = Task(name: "scan") { await scanner.scan(3) }
for scan in await scanning.value { print("page \(scan.page): \(scan.bytes) bytes") }
print("Asked the lamp \(await scanner.lamp.questions) times")
