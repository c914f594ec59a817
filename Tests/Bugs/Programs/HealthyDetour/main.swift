// Symptom: None; the bus company's server is away for a while, and the board shows the detours once it
// is back.
// Looks at: the detours on the board ("detours")

import Foundation
import Varve

enum NetworkError: Error { case unreachable }

final class DetourServer: Sendable {
  private let network = QueueScheduler(name: "network")
  private let requests = MutableProperty(0)

  /// The first three requests fail: the server is starting.
  func load() -> SignalProducer<[String], NetworkError> {
    SignalProducer { [requests] () -> Result<[String], NetworkError> in
      requests.modify { $0 += 1 }
      guard requests.value > 3 else { return .failure(.unreachable) }
      return .success(["12: not via Market", "N3: from Castle"])
    }
    .start(on: network)
  }
}

final class DetourBoard: Sendable {
  let lines: Property<[String]>
  let problem = MutableProperty<String?>(nil)

  init(_ server: DetourServer) {
    let timer = QueueScheduler(name: "timer")
    lines = Property(
      initial: [],
      then: server.load()
        .retry(upTo: 5, interval: .milliseconds(40), on: timer)
        .on(failed: { [problem] in problem.value = "Not available: \($0)" })
        .flatMapError { _ in .empty }
        .named("detours"))
  }
}

let board = DetourBoard(DetourServer())
for _ in 1...3 {
  print(board.lines.value.isEmpty ? "loading" : board.lines.value.joined(separator: " · "))
  Thread.sleep(forTimeInterval: 0.12)
}
print(board.problem.value ?? "no problem")
