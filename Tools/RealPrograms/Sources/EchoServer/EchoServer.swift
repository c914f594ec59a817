import NIOCore
import NIOPosix

typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

@main
struct EchoServer {
  static let clients = 20
  static let rounds = 25

  static func main() async throws { try await run() }

  static func run() async throws {
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try Connection(wrappingChannelSynchronously: channel)
        }
      }
    let port = server.channel.localAddress!.port!
    let serving = Task(name: "serving") { try await serve(server) }

    let echoed = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...clients {
        group.addTask(name: "client \(number)") { try await talk(to: port, number) }
      }
      return try await group.reduce(0, +)
    }
    print("\(echoed) bytes echoed")
    serving.cancel()
    _ = await serving.result
    print("the server has ended")
  }

  static func serve(_ server: NIOAsyncChannel<Connection, Never>) async throws {
    try await server.executeThenClose { connections in
      try await withThrowingDiscardingTaskGroup { group in
        for try await connection in connections {
          group.addTask(name: "connection") { try await echo(connection) }
        }
      }
    }
  }

  static func echo(_ connection: Connection) async throws {
    try await connection.executeThenClose { inbound, outbound in
      for try await bytes in inbound {
        try await outbound.write(bytes)
      }
    }
  }

  /// Sends lines, each when the one before has come back, and returns how many bytes came.
  static func talk(to port: Int, _ number: Int) async throws -> Int {
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try Connection(wrappingChannelSynchronously: channel)
        }
      }
    return try await connection.executeThenClose { inbound, outbound in
      var total = 0
      var answers = inbound.makeAsyncIterator()
      for round in 1...rounds {
        let line = "line \(round) of client \(number)\n"
        try await outbound.write(ByteBuffer(string: line))
        var missing = line.utf8.count
        while missing > 0, let answer = try await answers.next() {
          missing -= answer.readableBytes
          total += answer.readableBytes
        }
      }
      return total
    }
  }
}
