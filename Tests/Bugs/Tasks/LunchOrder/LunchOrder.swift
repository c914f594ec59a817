// Symptom: I tapped on Order and nothing seemed to happen, so I tapped again. The canteen now has
// two soups for me, although the button should not react while an order is sent.
// Looks at: the sending of the order

import Foundation

actor Canteen {
  private(set) var orders: [String] = []

  func order(_ dish: String) async throws {
    try await Task.sleep(for: .milliseconds(120))
    orders.append(dish)
  }
}

@MainActor
final class OrderScreen {
  private let canteen: Canteen
  private var isSending = false
  private(set) var message = ""

  init(canteen: Canteen) {
    self.canteen = canteen
  }

  func tapOrder(_ dish: String) {
    guard !isSending else {
      print("still sending")
      return
    }
    isSending = true
    defer { isSending = false }  // culprit
    message = "Sending…"
    Task {
      do {
        try await canteen.order(dish)
        message = "Enjoy your \(dish)!"
      } catch {
        message = "Please order at the counter."
      }
      print(message)
    }
  }
}

@main
struct LunchApp {
  @MainActor
  static func main() async throws {
    let canteen = Canteen()
    let screen = OrderScreen(canteen: canteen)
    screen.tapOrder("soup")
    try await Task.sleep(for: .milliseconds(50))
    screen.tapOrder("soup")
    try await Task.sleep(for: .milliseconds(300))
    print("the canteen cooks \(await canteen.orders)")
  }
}
