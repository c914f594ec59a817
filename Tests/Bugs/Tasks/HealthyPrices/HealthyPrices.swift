// Symptom: None; this works.
// Looks at: the comparison ("compare")

import Foundation

func ask(_ shop: String, takes milliseconds: Int) async throws -> String {
  try await Task.sleep(for: .milliseconds(milliseconds))
  return "\(shop): \(milliseconds * 3) cents"
}

/// The first answer wins; the others are cancelled.
func fastest() async -> String {
  await withTaskGroup(of: String?.self) { group in
    for (number, shop) in ["north", "south", "east", "west"].enumerated() {
      group.addTask(name: shop) { try? await ask(shop, takes: 20 + number * 400) }
    }
    for await answer in group {
      if let answer {
        group.cancelAll()
        return answer
      }
    }
    return "nobody answers"
  }
}

let compare = Task(name: "compare") { await fastest() }
print(await compare.value)
