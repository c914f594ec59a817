// Symptom: The board shows the departures. When I go to another tab and come back, no departure
// is added to it any more, although the cars run.
// Looks at: the departures on the board ("board")

import Foundation

@main
struct FunicularApp {
  static func main() async throws {
    let station = ValleyStation()
    let model = BoardModel(feed: station.feed)
    let operation = Task { try await station.operate() }

    model.appear()
    try await Task.sleep(for: .milliseconds(220))
    model.disappear()
    print("-- another tab --")
    try await Task.sleep(for: .milliseconds(100))
    print("-- back again --")
    model.appear()
    try await Task.sleep(for: .milliseconds(300))
    model.disappear()

    operation.cancel()
    print("cars left: \(await station.departed), on the board: \(model.lines.count)")
  }
}
