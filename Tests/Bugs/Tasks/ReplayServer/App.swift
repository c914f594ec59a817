// Symptom: The replay server handles each upload in a moment and keeps none, yet its memory grows
// with every one, until the system kills it after a day or two.
// Looks at: the tasks of the uploads ("server")

import Foundation

@main
struct App {
  static func main() async throws {
    let server = ReplayServer()
    let (uploads, sink) = AsyncStream<Upload>.makeStream()
    let serving = Task(name: "server") { await server.serve(uploads) }
    for hour in 1...4 {
      for player in 0..<250 {
        sink.yield(Upload(player: player, bytes: .init(repeating: UInt8(hour), count: 100_000)))
        if player % 10 == 0 { try await Task.sleep(for: .milliseconds(5)) }
      }
      let done = await server.archive.count
      print("hour \(hour): \(done) uploads done, \(residentMegabytes()) MB of memory")
    }
    sink.finish()
    await serving.value
    print("closed: \(residentMegabytes()) MB of memory")
  }
}
