// Symptom: None; this works. It asks for the position now and then, until the gondola is there.
// Looks at: the position of the gondola ("position")

import Foundation

@main
struct GondolaApp {
  static func main() async throws {
    let dispatcher = Dispatcher()
    let model = RideModel(client: dispatcher)
    try await model.order(from: "Rialto")

    model.enterForeground()
    try await Task.sleep(for: .milliseconds(105))
    model.enterBackground()
    let before = await dispatcher.questions
    try await Task.sleep(for: .milliseconds(120))
    print("asked in the background: \(await dispatcher.questions - before)")
    model.enterForeground()
    try await Task.sleep(for: .milliseconds(400))

    let after = await dispatcher.questions
    try await Task.sleep(for: .milliseconds(150))
    print("asked after the arrival: \(await dispatcher.questions - after)")
  }
}
