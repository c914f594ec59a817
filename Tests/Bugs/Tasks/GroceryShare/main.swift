// Symptom: I put milk on the shopping list that I share with my flatmate, once. Since then both
// phones are warm, and the provider wrote to us because of thousands of requests.
// Looks at: the sharing of the list ("sharing")

import Foundation

struct ShoppingList: Sendable {
  var items: [String]
}

@MainActor
final class ListStore {
  private(set) var list = ShoppingList(items: ["bread"])
  private var listeners: [UUID: AsyncStream<ShoppingList>.Continuation] = [:]

  func changes() -> AsyncStream<ShoppingList> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ShoppingList.self, bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    listeners[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.listeners[id] = nil }
    }
    return stream
  }

  func save(_ list: ShoppingList) {
    self.list = list
    for listener in listeners.values { listener.yield(list) }
  }
}

actor Cloud {
  private var items = ["bread", "soap"]
  private(set) var requests = 0

  /// Adds what is new, and returns what all of those who share the list have put on it.
  func merge(_ list: ShoppingList) async throws -> ShoppingList {
    requests += 1
    try await Task.sleep(for: .milliseconds(4))
    items += list.items.filter { !items.contains($0) }
    return ShoppingList(items: items)
  }
}

@MainActor
func share(_ store: ListStore, through cloud: Cloud) async {
  for await list in store.changes() {
    do {
      let merged = try await cloud.merge(list)
      store.save(merged)  // culprit
    } catch {
      print("not shared: \(error)")
    }
  }
}

let store = ListStore()
let cloud = Cloud()
let sharing = Task(name: "sharing") { await share(store, through: cloud) }
try await Task.sleep(for: .milliseconds(50))

store.save(ShoppingList(items: store.list.items + ["milk"]))
try await Task.sleep(for: .milliseconds(600))
print("the list is \(store.list.items), after \(await cloud.requests) requests")
sharing.cancel()
await sharing.value
