// Symptom: None; this works. The memory stays flat however many coaches are served.
// Looks at: the server

import Foundation

@main
struct PostilionApp {
  static func main() async throws {
    let gate = CoachGate()
    let statistics = Statistics()
    let station = RelayStation(gate: gate, stable: Stable(), statistics: statistics)
    let server = Task { await station.run() }

    for hour in 1...5 {
      for number in 1...15 {
        gate.arrive(Coach(number: hour * 100 + number))
        try await Task.sleep(for: .milliseconds(5))
      }
      try await Task.sleep(for: .milliseconds(40))
      let served = await station.served
      print("hour \(hour): \(served) coaches served, \(Harness.inUse) harnesses in use")
    }
    gate.close()
    await server.value
    // The last of what was reported need not arrive.
    print("reported so far: \(await statistics.reported > 50 ? "most" : "too few")")
  }
}
