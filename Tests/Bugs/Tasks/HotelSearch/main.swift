// Symptom: While I type the name of a town, "Something went wrong. Are you online?" flashes below
// the field with each letter. In the end the hotels are there, and the network was never gone.
// Looks at: the search for the first letters ("search Bo")

import Foundation

enum ServiceError: Error {
  case unreachable
}

struct HotelService: Sendable {
  let isOnline: Bool
  private let hotels = ["Bonn": ["Rheinhof", "Post"], "Bologna": ["Due Torri", "Roma"]]

  init(isOnline: Bool) { self.isOnline = isOnline }

  func hotels(in town: String) async throws -> [String] {
    try await Task.sleep(for: .milliseconds(150))
    guard isOnline else { throw ServiceError.unreachable }
    return hotels.filter { $0.key.hasPrefix(town) }.flatMap(\.value).sorted()
  }
}

@MainActor
final class SearchPage {
  private let service: HotelService
  private var search: Task<Void, Never>?
  private(set) var hotels: [String] = []
  private(set) var message = "" {
    didSet { print("  \(message)") }
  }

  init(service: HotelService) { self.service = service }

  func typed(_ text: String) {
    search?.cancel()
    search = Task(name: "search \(text)") {
      do {
        hotels = try await service.hotels(in: text)
        message = hotels.isEmpty ? "No hotels in “\(text)”" : "\(hotels.count) hotels"
      } catch {  // culprit
        hotels = []
        message = "Something went wrong. Are you online?"
      }
    }
  }

  func settle() async { await search?.value }
}

let page = SearchPage(service: HotelService(isOnline: true))
for text in ["Bo", "Bol", "Bolo", "Bolog"] {
  print("typed \(text)")
  page.typed(text)
  try await Task.sleep(for: .milliseconds(25))
}
await page.settle()
print(page.hotels)
