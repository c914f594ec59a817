import Foundation

struct Connection: Sendable {
  let number: Int
}

/// Connections for one request at a time each; who comes first is served first.
actor LeasePool {
  private struct Waiter {
    let ticket: Int
    let continuation: CheckedContinuation<Connection, any Error>
  }

  private var idle: [Connection]
  private var waiters: [Waiter] = []
  private var tickets = 0

  init(size: Int) { idle = (1...size).map(Connection.init(number:)) }

  var idleCount: Int { idle.count }

  nonisolated func withConnection<Value: Sendable>(
    _ body: @Sendable (Connection) async throws -> Value
  ) async throws -> Value {
    let connection = try await acquire()
    do {
      let value = try await body(connection)
      await release(connection)
      return value
    } catch {
      await release(connection)
      throw error
    }
  }

  private func acquire() async throws -> Connection {
    if let connection = idle.popLast() { return connection }
    tickets += 1
    let ticket = tickets
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          waiters.append(Waiter(ticket: ticket, continuation: continuation))
        }
      }
    } onCancel: {
      Task(name: "hang up \(ticket)") { await self.leave(ticket) }
    }
  }

  private func release(_ connection: Connection) {
    if waiters.isEmpty {
      idle.append(connection)
    } else {
      waiters.removeFirst().continuation.resume(returning: connection)
    }
  }

  private func leave(_ ticket: Int) {
    guard let place = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    waiters.remove(at: place).continuation.resume(throwing: CancellationError())
  }
}
