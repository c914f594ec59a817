// Symptom: The page that the farmer sees in the morning needs half a second to come up, though each
// of its three sources answers in less than a fifth of a second.
// Looks at: the page of the morning ("briefing")

import Foundation

struct Forecast: Sendable { let millimetres: Int }
struct Prices: Sendable { let centsPerLitre: Int }
struct Herd: Sendable { let litres: Int }

struct Unavailable: Error { let source: String }

/// A source somewhere in the network.
struct Source<Value: Sendable>: Sendable {
  let name: String
  let milliseconds: Int
  let make: @Sendable () -> Value?

  func fetch() async throws -> Value {
    try await Task.sleep(for: .milliseconds(milliseconds))
    guard let value = make() else { throw Unavailable(source: name) }
    return value
  }
}

struct Briefing: Sendable {
  let forecast: Forecast
  let prices: Prices
  let herd: Herd

  var lines: [String] {
    [
      "rain: \(forecast.millimetres) mm",
      "milk: \(herd.litres) litres, \(herd.litres * prices.centsPerLitre / 100) euros",
    ]
  }
}

actor Farm {
  private let weather = Source(name: "weather", milliseconds: 170) { Forecast(millimetres: 4) }
  private let dairy = Source(name: "dairy", milliseconds: 160) { Prices(centsPerLitre: 47) }
  private let robot = Source(name: "robot", milliseconds: 180) { Herd(litres: 1960) }
  private var latest: Briefing?

  /// The three have nothing to do with each other.
  func briefing() async throws -> Briefing {
    let parts = try await (weather.fetch(), dairy.fetch(), robot.fetch())  // culprit
    let briefing = Briefing(forecast: parts.0, prices: parts.1, herd: parts.2)
    latest = briefing
    return briefing
  }

  func lastBriefing() -> Briefing? { latest }
}

@MainActor
final class MorningPage {
  private let farm: Farm
  private(set) var text = ""

  init(farm: Farm) { self.farm = farm }

  func load() async {
    do {
      text = try await farm.briefing().lines.joined(separator: "\n")
    } catch let error as Unavailable {
      text = "No answer from \(error.source)"
    } catch {
      text = "\(error)"
    }
  }
}

let page = MorningPage(farm: Farm())
let began = ContinuousClock.now
let loading = Task(name: "briefing") { await page.load() }
await loading.value
print(page.text)
print("shown after \(Int((ContinuousClock.now - began) / .milliseconds(1))) ms")
