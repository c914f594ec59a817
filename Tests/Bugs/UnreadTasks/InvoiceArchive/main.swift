// Symptom: When I open the archive, the clock in the title bar stands still for a moment.
// Looks at: the clock ("clock")

import Foundation

struct Invoice: Sendable {
  var number: Int
  var cents: Int
}

struct InvoiceReader: Sendable {
  func text() async -> [String] {
    try? await Task.sleep(for: .milliseconds(40))
    return (1...80_000).map { "invoice;\($0);\($0 * 7 % 9_973)" }
  }

  func parse(_ lines: [String]) -> [Invoice] {
    lines.compactMap { line in
      let fields = line.split(separator: ";")
      guard fields.count == 3, let number = Int(fields[1]), let cents = Int(fields[2]) else {
        return nil
      }
      return Invoice(number: number, cents: cents)
    }
  }
}

@MainActor
final class TitleBar {
  private var last = ContinuousClock.now
  private(set) var longest = Duration.zero

  func tick() {
    let now = ContinuousClock.now
    longest = max(longest, now - last)
    last = now
  }
}

@MainActor
final class ArchiveScreen {
  private let reader = InvoiceReader()
  private(set) var invoices: [Invoice] = []

  func open() async {
    let lines = await reader.text()
    invoices = reader.parse(lines).sorted { $0.cents > $1.cents }  // culprit
    print("\(invoices.count) invoices, the highest is number \(invoices[0].number)")
  }
}

let titleBar = TitleBar()
let clock = Task(name: "clock") { @MainActor in
  while !Task.isCancelled {
    titleBar.tick()
    try? await Task.sleep(for: .milliseconds(10))
  }
}
let screen = ArchiveScreen()
let archive = Task(name: "archive") { @MainActor in await screen.open() }
await archive.value
try? await Task.sleep(for: .milliseconds(30))
clock.cancel()
await clock.value
let isSmooth = titleBar.longest < .milliseconds(60)
print(isSmooth ? "The clock runs" : "The clock stood for \(titleBar.longest)")
