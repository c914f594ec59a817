import Foundation

/// The sensor as the system offers it: handlers, and a timer while there are any.
final class Magnetometer: @unchecked Sendable {
  typealias Handler = @Sendable (Int) -> Void

  private let queue = DispatchQueue(label: "magnetometer")
  private var handlers: [UUID: Handler] = [:]
  private var timer: (any DispatchSourceTimer)?
  private var tick = 0
  private var handled = 0

  var clients: Int { queue.sync { handlers.count } }
  var calls: Int { queue.sync { handled } }

  @discardableResult
  func startUpdates(_ handler: @escaping Handler) -> UUID {
    queue.sync {
      let id = UUID()
      handlers[id] = handler
      if timer == nil { startTimer() }
      return id
    }
  }

  func stopUpdates(_ id: UUID) {
    queue.async { [self] in
      handlers[id] = nil
      if handlers.isEmpty {
        timer?.cancel()
        timer = nil
      }
    }
  }

  private func startTimer() {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(10))
    timer.setEventHandler { [unowned self] in
      tick += 1
      for handler in handlers.values {
        handled += 1
        handler(48_000 + tick * 37 % 400)
      }
    }
    timer.resume()
    self.timer = timer
  }
}
