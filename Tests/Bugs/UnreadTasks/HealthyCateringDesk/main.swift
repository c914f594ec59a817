// Symptom: None; this works.
// Looks at: the list of the dishes

import Foundation

@MainActor
final class DishScreen {
  private let kitchen: Kitchen
  private var isSending = false
  private var listening: Task<Void, Never>?
  private(set) var dishes: [Dish]

  init(kitchen: Kitchen, names: [String]) {
    self.kitchen = kitchen
    dishes = names.enumerated().map { Dish(id: $0.offset, name: $0.element) }
  }

  func appear() {
    listening?.cancel()
    listening = Task { [kitchen] in
      for await id in kitchen.finishedDishes() {
        try? await Task.sleep(for: .milliseconds(5))
        guard let index = dishes.firstIndex(where: { $0.id == id }) else { continue }
        dishes[index].isReady = true
        print("\(dishes[index].name) is ready")
      }
    }
  }

  func disappear() {
    listening?.cancel()
    listening = nil
  }

  func tapOrder() {
    guard !isSending else { return }
    isSending = true
    Task {
      defer { isSending = false }
      do { try await kitchen.order() } catch { print("not ordered: \(error)") }
    }
  }

  func remove(_ id: Int) {
    dishes.removeAll { $0.id == id }
  }
}

let kitchen = Kitchen()
let screen = DishScreen(kitchen: kitchen, names: ["pea soup", "trout", "plum tart"])
screen.appear()
screen.disappear()
screen.appear()
screen.tapOrder()
try await Task.sleep(for: .milliseconds(20))
screen.tapOrder()
try await Task.sleep(for: .milliseconds(120))
for id in [0, 2, 1] {
  kitchen.finish(id)
  if id == 2 { screen.remove(2) }
  try await Task.sleep(for: .milliseconds(30))
}
screen.disappear()
print("\(kitchen.orders) order, \(screen.dishes.filter(\.isReady).count) dishes are ready")
