// Symptom: After the launch, each lens that is rented is on the list two times.
// Looks at: the restoring of the rentals ("restore rentals")

import Foundation

struct Rental: Sendable {
  let lens: String
  let days: Int
}

actor RentalStore {
  private let saved = [
    Rental(lens: "35 mm", days: 2), Rental(lens: "85 mm", days: 5), Rental(lens: "macro", days: 1),
  ]

  func all() async -> [Rental] {
    try? await Task.sleep(for: .milliseconds(25))
    return saved
  }
}

@MainActor
final class RentalList {
  private(set) var rentals: [Rental] = []
  private let store = RentalStore()

  func restore() async {
    let saved = await store.all()
    rentals.append(contentsOf: saved)
    print("list: " + rentals.map { "\($0.lens) (\($0.days))" }.joined(separator: ", "))
  }
}

@MainActor
final class RentalApp {
  let list = RentalList()
  private var work: [Task<Void, Never>] = []

  func didLaunch() {
    work.append(Task(name: "restore rentals") { await list.restore() })
  }

  func didBecomeActive() {
    print("active")
    work.append(Task(name: "restore rentals") { await list.restore() })  // culprit
  }

  func settle() async {
    for task in work { await task.value }
  }
}

@MainActor func run() async {
  let app = RentalApp()
  app.didLaunch()
  app.didBecomeActive()
  await app.settle()
  print("\(app.list.rentals.count) lenses to be returned")
}
await run()
