// Symptom: The memory of the gateway grows with each request, and it is never given back while the
// gateway runs.
// Looks at: the listener ("listen")

import Foundation
import Synchronization

struct Connection: Sendable {
  var number: Int
}

let bytesInUse = Atomic<Int>(0)

final class Buffer: Sendable {
  let bytes: [UInt8]

  init(size: Int) {
    bytes = [UInt8](repeating: 0x20, count: size)
    bytesInUse.add(size, ordering: .relaxed)
  }

  deinit {
    bytesInUse.subtract(bytes.count, ordering: .relaxed)
  }
}

struct Exchange: Sendable {
  var connection: Connection
  var status: Int
  var body: Buffer
}

actor AccessLog {
  private(set) var lines = 0

  func write(_ exchange: Exchange) {
    lines += 1
  }
}

struct Handler: Sendable {
  let log: AccessLog

  func handle(_ connection: Connection) async throws -> Exchange {
    let body = Buffer(size: 64 * 1024)
    try await Task.sleep(for: .milliseconds(8))
    let status = connection.number.isMultiple(of: 17) ? 404 : 200
    let exchange = Exchange(connection: connection, status: status, body: body)
    await log.write(exchange)
    return exchange
  }
}

struct Gateway: Sendable {
  let handler: Handler

  /// Returns when nobody connects any more and everybody has been answered.
  func listen(to connections: AsyncStream<Connection>) async throws {
    try await withThrowingTaskGroup(of: Exchange.self) { group in  // culprit
      for await connection in connections {
        group.addTask(name: "connection") { try await handler.handle(connection) }
      }
      try await group.waitForAll()
    }
  }
}

let log = AccessLog()
let gateway = Gateway(handler: Handler(log: log))
let (connections, accept) = AsyncStream.makeStream(of: Connection.self)
let listener = Task(name: "listen") { try await gateway.listen(to: connections) }

for second in 1...5 {
  for number in 1...60 {
    accept.yield(Connection(number: second * 60 + number))
    try await Task.sleep(for: .milliseconds(3))
  }
  let memory = bytesInUse.load(ordering: .relaxed) / 1024
  print("\(await log.lines) requests answered, \(memory) KiB in use")
}
accept.finish()
try await listener.value
print("closed, \(bytesInUse.load(ordering: .relaxed) / 1024) KiB in use")
