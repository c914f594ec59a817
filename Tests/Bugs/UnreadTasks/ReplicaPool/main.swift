// Symptom: A few requests with a typo in their filter are answered with an error, as they should
// be. But some of those later, the server doesn't answer anybody any more.
// Looks at: a request with nothing wrong in it ("request 5")

import Foundation

func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

struct SyntaxError: Error {
  let near: String
}

final class Connection: Sendable {
  let number: Int

  init(number: Int) { self.number = number }

  func query(_ filter: String) async throws -> Int {
    try await Task.sleep(for: .milliseconds(10))
    guard filter.contains("=") else { throw SyntaxError(near: filter) }
    return filter.count
  }
}

/// Connections to the replica, each of which one request has at a time.
actor ReplicaPool {
  private var idle: [Connection]
  private var waiting: [CheckedContinuation<Connection, Never>] = []

  init(size: Int) { idle = (1...size).map(Connection.init(number:)) }

  fileprivate func acquire() async -> Connection {
    if let connection = idle.popLast() { return connection }
    return await withCheckedContinuation { waiting.append($0) }
  }

  fileprivate func release(_ connection: Connection) {
    if waiting.isEmpty {
      idle.append(connection)
    } else {
      waiting.removeFirst().resume(returning: connection)
    }
  }
}

extension ReplicaPool {
  nonisolated func withConnection<Value: Sendable>(
    _ body: @Sendable (Connection) async throws -> Value
  ) async throws -> Value {
    let connection = await acquire()
    let value = try await body(connection)  // culprit
    await release(connection)
    return value
  }
}

let pool = ReplicaPool(size: 2)
let filters = ["id=3", "name", "id=5", "id=8", "mail", "id=9", "age=40", "id=12"]

for (number, filter) in filters.enumerated() {
  let request = Task(name: "request \(number)") {
    try await pool.withConnection { try await $0.query(filter) }
  }
  switch await request.result {
  case .success(let rows): say("GET /users?\(filter): 200, \(rows) rows")
  case .failure(let error): say("GET /users?\(filter): 400, \(error)")
  }
}
say("served \(filters.count) requests")
