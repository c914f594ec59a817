// Symptom: The start page takes half a second, even if its advertisement is not shown.
// Looks at: the task of the page ("start page")

import Foundation

struct User: Sendable {
  var name: String
  var isPaying: Bool
}

func fetchUser() async -> User {
  try? await Task.sleep(for: .milliseconds(15))
  return User(name: "Ada", isPaying: true)
}

func fetchHeadlines() async -> [String] {
  try? await Task.sleep(for: .milliseconds(25))
  return ["rain", "wind"]
}

func fetchAdvertisement() async -> String {
  var tries = 0
  let end = ContinuousClock.now + .milliseconds(500)
  while ContinuousClock.now < end {
    tries += 1
    await withCheckedContinuation { done in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { done.resume() }
    }
  }
  return "buy now, \(tries)"
}

func startPage() async -> String {
  async let user = fetchUser()
  async let headlines = fetchHeadlines()
  async let advertisement = fetchAdvertisement()  // culprit
  if await user.isPaying {
    return await "\(user.name): \(headlines.joined(separator: ", "))"
  }
  return await "\(user.name): \(headlines.joined(separator: ", ")) \(advertisement)"
}

let page = Task(name: "start page") { await startPage() }
print(await page.value)
