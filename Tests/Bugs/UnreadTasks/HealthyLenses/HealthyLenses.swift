// Symptom: None. The photo is always that of the lens in the title, and a press on "Buy" buys
// once.
// Looks at: the photo of the lens that was chosen last ("sample 35 mm")

import Foundation

enum ShopError: Error {
  case noSample(Int)
}

actor LensShop {
  private var orders: [Int: Task<Int, Never>] = [:]
  private(set) var bookings = 0

  func sample(of millimetres: Int) async throws -> Int {
    for _ in 0..<(millimetres / 25 + 1) { try await Task.sleep(for: .milliseconds(10)) }
    guard millimetres != 50 else { throw ShopError.noSample(millimetres) }
    return millimetres * 10_000
  }

  /// The number of the order; who asks again gets the same.
  func buy(_ millimetres: Int) async -> Int {
    if let order = orders[millimetres] { return await order.value }
    let order = Task(name: "order \(millimetres) mm") { await book() }
    orders[millimetres] = order
    return await order.value
  }

  private func book() async -> Int {
    try? await Task.sleep(for: .milliseconds(40))
    bookings += 1
    return 900 + bookings
  }
}

@MainActor
final class LensPage {
  private(set) var title = ""
  private(set) var photo = "(grey)"
  let shop = LensShop()
  private var loading: Task<Void, Never>?

  func choose(_ millimetres: Int) {
    loading?.cancel()
    title = "\(millimetres) mm"
    photo = "(grey)"
    loading = Task(name: "sample \(title)") {
      do {
        let pixels = try await shop.sample(of: millimetres)
        photo = "\(pixels) pixels of the \(millimetres) mm"
      } catch is CancellationError {
        return
      } catch {
        photo = "(no photo)"
      }
    }
  }

  func loaded() async { await loading?.value }
}

let page = LensPage()
page.choose(50)
await page.loaded()
print("\(page.title): \(page.photo)")
page.choose(400)
try await Task.sleep(for: .milliseconds(40))
page.choose(35)
let presses = (1...2).map { press in
  Task(name: "press \(press)") { await page.shop.buy(35) }
}
await page.loaded()
print("\(page.title): \(page.photo)")
for press in presses { print("order \(await press.value)") }
print("\(await page.shop.bookings) booking")
