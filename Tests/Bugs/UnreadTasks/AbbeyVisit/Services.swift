import Foundation

actor TicketOffice: TicketSource {
  private let sold = ["A-17": "Ms Prior", "A-18": "Mr Prior", "B-02": "Ms Clerk"]

  func ticket(for code: String) async throws -> Ticket? {
    try await Task.sleep(for: .milliseconds(8))
    return sold[code].map { Ticket(code: code, holder: $0) }
  }
}

struct VisitLog: Sendable {
  let archive: Archive

  func write(_ line: String) async {
    let stamp = Date.now.formatted(.iso8601)
    await withCheckedContinuation { written in
      archive.append("\(stamp) \(line)") { written.resume() }
    }
  }
}

/// The archive of the diocese: far away, and with completion handlers.
final class Archive: Sendable {
  private let queue = DispatchQueue(label: "archive", attributes: .concurrent)

  func append(_ line: String, completion: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + 0.25, execute: completion)
  }
}
