import Foundation

struct Booking: Sendable {
  let day: Int
  let purpose: String
  let cents: Int
}

@MainActor
final class Spinner {
  private(set) var longestStop = Duration.zero
  private var turning: Task<Void, Never>?

  func start() {
    turning = Task(name: "spinner") {
      let clock = ContinuousClock()
      var last = clock.now
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(16))
        longestStop = max(longestStop, clock.now - last)
        last = clock.now
      }
    }
  }

  func stop() { turning?.cancel() }
}

@MainActor
final class ImportScreen {
  let spinner = Spinner()
  private(set) var balance = 0

  /// Reads a statement in a task, so that the screen stays alive.
  func open(_ statement: String) -> Task<Void, Never> {
    spinner.start()
    return Task(name: "import") {
      try? await Task.sleep(for: .milliseconds(50))
      let bookings = parse(statement)  // culprit
      balance = bookings.reduce(0) { $0 + $1.cents }
      try? await Task.sleep(for: .milliseconds(50))
      spinner.stop()
    }
  }

  private func parse(_ statement: String) -> [Booking] {
    statement.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard fields.count == 3, let day = Int(fields[0]), let euros = Double(fields[2]) else {
        return nil
      }
      let purpose = fields[1].replacingOccurrences(of: "  ", with: " ").capitalized
      return Booking(day: day, purpose: purpose, cents: Int((euros * 100).rounded()))
    }
  }
}
