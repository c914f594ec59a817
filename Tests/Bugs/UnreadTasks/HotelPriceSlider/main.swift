// Symptom: The list shows hotels of up to 90, though my slider stands at 150.
// Looks at: the searches ("search")

import Foundation

struct Hotel: Sendable {
  var name: String
  var price: Int
}

struct HotelServer: Sendable {
  private let hotels = [
    Hotel(name: "Anchor", price: 70), Hotel(name: "Bellevue", price: 145),
    Hotel(name: "Crown", price: 110), Hotel(name: "Dove", price: 85),
  ]

  /// A search that others have made before is answered sooner.
  private let delays = [60: 40, 90: 160, 150: 50]

  func hotels(upTo price: Int) async -> [Hotel] {
    try? await Task.sleep(for: .milliseconds(delays[price] ?? 60))
    return hotels.filter { $0.price <= price }
  }
}

@MainActor
final class HotelList {
  private let server = HotelServer()
  private(set) var limit = 0
  private(set) var shown: [Hotel] = []

  func sliderMoved(to limit: Int) {
    self.limit = limit
    Task(name: "search") {  // culprit
      let found = await server.hotels(upTo: limit)
      shown = found
      print("up to \(limit): \(found.map(\.name).joined(separator: ", "))")
    }
  }
}

let list = HotelList()
for limit in [60, 90, 150] {
  list.sliderMoved(to: limit)
  try? await Task.sleep(for: .milliseconds(30))
}
try? await Task.sleep(for: .milliseconds(250))
print("The slider stands at \(list.limit)")
for hotel in list.shown { print("- \(hotel.name) for \(hotel.price)") }
