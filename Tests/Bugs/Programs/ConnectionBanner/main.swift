// Symptom: The banner says "connecting…" although the connection has been up for a while and
// messages come in.
// Looks at: the text of the banner (the property "banner")

import Foundation
import Varve

enum Link: Equatable {
  case down
  case connecting(attempt: Int)
  case up
}

final class Socket {
  let events: Signal<Link, Never>
  private let input: Signal<Link, Never>.Observer
  private let queue = QueueScheduler(name: "socket")

  init() { (events, input) = Signal.pipe() }

  func reconnect(attempts: Int) {
    for attempt in 1...attempts {
      queue.schedule { [input] in input.send(value: .connecting(attempt: attempt)) }
    }
    queue.schedule(after: .milliseconds(20)) { [input] in input.send(value: .up) }
  }
}

final class BannerModel {
  let banner = MutableProperty("", named: "banner")
  private let layout = QueueScheduler(name: "layout")
  private let urgent = QueueScheduler(qos: .userInteractive, name: "urgent")

  init(socket: Socket) {
    banner
      <~ socket.events
      .observe(on: layout)  // culprit
      .compactMap { link -> String? in
        guard case .connecting(let attempt) = link else { return nil }
        return Self.typeset("connecting… (\(attempt))")
      }
    banner
      <~ socket.events
      .filter { $0 == .up }
      .observe(on: urgent)
      .map { _ in "" }
  }

  /// Measures the text; not cheap.
  private static func typeset(_ text: String) -> String {
    Thread.sleep(forTimeInterval: 0.012)
    return text
  }
}

let socket = Socket()
let model = BannerModel(socket: socket)
for attempts in [1, 1, 6] {
  socket.reconnect(attempts: attempts)
  Thread.sleep(forTimeInterval: 0.25)
  print("connected; banner: '\(model.banner.value)'")
}
