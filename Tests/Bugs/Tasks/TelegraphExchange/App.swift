// Symptom: The exchange needs more memory with each telegram that it relays, and gives nothing
// back until one shuts it down.
// Looks at: the server

import Foundation

@main
struct ExchangeApp {
  static func main() async throws {
    let line = IncomingLine()
    let exchange = Exchange(line: line, directory: Directory())
    let server = Task { await exchange.run() }

    for minute in 1...6 {
      for number in 1...20 {
        line.arrive("telegram \(minute)-\(number)", from: "Bremen", to: "Oslo")
        try await Task.sleep(for: .milliseconds(5))
      }
      try await Task.sleep(for: .milliseconds(40))
      let relayed = await exchange.relayed
      print("minute \(minute): \(relayed) relayed, \(Transcript.kilobytes) kB in use")
    }
    line.close()
    await server.value
    print("after the shutdown: \(Transcript.kilobytes) kB in use")
  }
}
