// Symptom: The app crashes during the tour of its new functions, when I am quick and tap on
// “next” before a hint has gone away by itself.
// Looks at: the hints of the tour ("hint")

import Foundation

@main
struct TourApp {
  static func main() async throws {
    let model = TourModel(hints: HintService())
    await model.begin()
    try await Task.sleep(for: .milliseconds(250))
    print("the user is slow")
    model.next()
    try await Task.sleep(for: .milliseconds(40))
    print("the user is quick")
    model.next()
    try await Task.sleep(for: .milliseconds(250))
    print("the tour is over")
  }
}
