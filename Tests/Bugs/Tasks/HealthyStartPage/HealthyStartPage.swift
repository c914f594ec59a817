// Symptom: None; this works.
// Looks at: the page ("start page")

import Foundation

func fetch(_ part: String, after milliseconds: Int) async throws -> String {
  try await Task.sleep(for: .milliseconds(milliseconds))
  return part
}

func startPage(isPaying: Bool) async throws -> String {
  async let user = fetch("Ada", after: 15)
  async let headlines = fetch("rain, wind", after: 25)
  async let advertisement = fetch("buy now", after: isPaying ? 2_000 : 30)
  let page = try await "\(user): \(headlines)"
  // Leaving the scope cancels what was not awaited, and sleeping ends when it is cancelled.
  return isPaying ? page : try await "\(page), \(advertisement)"
}

for isPaying in [true, false] {
  let page = Task(name: "start page") { try await startPage(isPaying: isPaying) }
  print(try await page.value)
}
