// Symptom: Since the broker's certificate ran out, the hub is hot: it tries to connect all the time,
// thousands of times a minute.
// Looks at: the connection ("broker")

import Foundation

enum BrokerError: Error {
  case certificateExpired
}

actor Broker {
  private(set) var handshakes = 0

  func handshake(as client: String) async throws -> Int {
    handshakes += 1
    try await Task.sleep(for: .microseconds(400))
    throw BrokerError.certificateExpired
  }
}

@MainActor
final class HubLink {
  enum State {
    case offline, connecting
    case online(session: Int)
  }

  private(set) var state = State.offline
  private let broker: Broker
  private var link: Task<Void, Never>?

  init(broker: Broker) {
    self.broker = broker
  }

  func open() {
    link = Task(name: "broker") { await connect() }
  }

  func close() {
    link?.cancel()
    state = .offline
  }

  private func connect() async {
    while !Task.isCancelled {
      state = .connecting
      do {
        state = .online(session: try await broker.handshake(as: "hub 7"))
        return
      } catch {
        state = .offline
        continue  // culprit
      }
    }
  }
}

@MainActor func run() async {
  let broker = Broker()
  let link = HubLink(broker: broker)
  link.open()
  try? await Task.sleep(for: .milliseconds(500))
  link.close()
  print("\(await broker.handshakes) handshakes in half a second")
}
await run()
