// Symptom: When I scroll down, every page of recipes after the first is there twice.
// Looks at: one of the pages ("page 2")

import Foundation

struct Recipe: Sendable {
  let number: Int
  var title: String { "Recipe \(number)" }
}

actor RecipeServer {
  private(set) var requests: [Int] = []

  func page(_ page: Int) async -> [Recipe] {
    requests.append(page)
    try? await Task.sleep(for: .milliseconds(30))
    return (1...8).map { Recipe(number: (page - 1) * 8 + $0) }
  }
}

@MainActor
final class RecipeList {
  private let server: RecipeServer
  private(set) var recipes: [Recipe] = []
  private var nextPage = 1
  private var isLoading = false

  init(server: RecipeServer) { self.server = server }

  func willShow(row: Int) {
    guard row >= recipes.count - 2, !isLoading else { return }
    Task(name: "page \(nextPage)") { await loadPage() }  // culprit
  }

  func loadPage() async {
    isLoading = true
    let page = nextPage
    let loaded = await server.page(page)
    recipes += loaded
    nextPage = page + 1
    isLoading = false
  }
}

@MainActor
struct Finger {
  let list: RecipeList

  /// The rows of one frame appear together.
  func scroll(frames: Int) async {
    var top = 0
    for _ in 0..<frames {
      for row in top..<min(top + 4, list.recipes.count) { list.willShow(row: row) }
      top = min(top + 4, max(0, list.recipes.count - 4))
      try? await Task.sleep(for: .milliseconds(60))
    }
  }
}

let server = RecipeServer()
let list = RecipeList(server: server)
await list.loadPage()
await Finger(list: list).scroll(frames: 12)
print("pages asked for: \(await server.requests)")
print("recipes: \(list.recipes.map(\.number))")
