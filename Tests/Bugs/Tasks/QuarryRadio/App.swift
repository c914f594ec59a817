// Symptom: I send a message while others write. The tick for “delivered” appears at somebody
// else's message, and mine keeps its clock.
// Looks at: the sending of a message ("send")

import Foundation

@main
struct QuarryRadioApp {
  static func main() async throws {
    let server = RadioServer()
    let model = ConversationModel(server: server)
    let listening = Task { await model.listen() }

    let sending = Task(name: "send") { await model.send("Blast at noon, clear the pit") }
    try await Task.sleep(for: .milliseconds(30))
    await server.receive("Crane: understood")
    try await Task.sleep(for: .milliseconds(20))
    await server.receive("Gate: two lorries are still inside")
    await sending.value

    model.printAll()
    listening.cancel()
  }
}
