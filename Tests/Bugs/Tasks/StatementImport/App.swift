// Symptom: While a bank statement of some years is read, the spinner stands still for a second, and
// "Cancel" does not take a click. With a statement of a month it turns as it should.
// Looks at: the spinner ("spinner")

import Foundation

@main
struct App {
  @MainActor
  static func main() async {
    let lines = (1...70_000).map { "\($0 % 365 + 1); CARD  PAYMENT  NR \($0) ; -\($0 % 90).50" }
    let screen = ImportScreen()
    await screen.open(lines.joined(separator: "\n")).value
    print("balance: \(screen.balance / 100) euros")
    let stop = screen.spinner.longestStop.formatted(.units(allowed: [.milliseconds]))
    print("the spinner stood still for \(stop)")
  }
}
