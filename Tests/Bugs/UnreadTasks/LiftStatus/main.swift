// Symptom: If I tap two regions shortly after each other, the title is that of the second one, but
// the lifts below are those of the first.
// Looks at: the lifts of the first region ("lifts of Alps")

import Foundation

struct Region: Sendable {
  let name: String
  let lifts: Int
}

struct LiftService: Sendable {
  func lifts(in region: Region) async -> [String] {
    // Large regions have large answers.
    try? await Task.sleep(for: .milliseconds(10 + region.lifts))
    return (1...region.lifts).map { "\(region.name) \($0)" }
  }
}

@MainActor
final class StatusScreen {
  private let service = LiftService()
  private(set) var title = ""
  private(set) var lifts: [String] = []

  func select(_ region: Region) {
    title = region.name
    Task(name: "lifts of \(region.name)") { lifts = await service.lifts(in: region) }  // culprit
  }
}

@MainActor
struct Skier {
  let screen: StatusScreen

  func tap(_ regions: [Region]) async {
    for region in regions {
      screen.select(region)
      try? await Task.sleep(for: .milliseconds(40))
    }
    try? await Task.sleep(for: .milliseconds(400))
  }
}

let screen = StatusScreen()
let skier = Skier(screen: screen)
let alps = Region(name: "Alps", lifts: 240)
let vosges = Region(name: "Vosges", lifts: 12)

await skier.tap([vosges])
print("\(screen.title): \(screen.lifts.first ?? "-"), \(screen.lifts.count) lifts")
await skier.tap([alps, vosges])
print("\(screen.title): \(screen.lifts.first ?? "-"), \(screen.lifts.count) lifts")
