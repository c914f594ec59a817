import FlyingFox
import FlyingSocks
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

@main
struct FoxServer {
  static let clients = 6
  static let rounds = 30

  static func main() async throws { try await run() }

  static func run() async throws {
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    await server.appendRoute("GET /square") { request in
      let number = request.query.first { $0.name == "of" }.flatMap { Int($0.value) } ?? 0
      return HTTPResponse(statusCode: .ok, body: Data("\(number * number)".utf8))
    }
    await server.appendRoute("POST /sum") { request in
      let sum = try await request.bodyData.reduce(0) { $0 + Int($1) }
      return HTTPResponse(statusCode: .ok, body: Data("\(sum)".utf8))
    }
    let serving = Task(name: "serving") { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port)? = await server.listeningAddress else {
      fatalError("the server listens elsewhere")
    }
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...clients {
        group.addTask(name: "pupil \(number)") { try await ask(Int(port), number) }
      }
      return try await group.reduce(0, +)
    }
    print("the answers add up to \(total)")
    await server.stop(timeout: 3)
    _ = await serving.result
    print("the server has ended")
  }

  static func ask(_ port: Int, _ number: Int) async throws -> Int {
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel)
        }
      }
    return try await connection.executeThenClose { inbound, outbound in
      var parts = inbound.makeAsyncIterator()
      var total = 0
      for round in 1...rounds {
        var head = HTTPRequestHead(
          version: .http1_1, method: .GET, uri: "/square?of=\(number * round)")
        head.headers.add(name: "host", value: "127.0.0.1")
        if round.isMultiple(of: 3) {
          (head.method, head.uri) = (.POST, "/sum")
          head.headers.add(name: "content-length", value: "\(10 * round)")
        }
        try await outbound.write(.head(head))
        if head.method == .POST {
          let body = ByteBuffer(repeating: 1, count: 10 * round)
          try await outbound.write(.body(.byteBuffer(body)))
        }
        try await outbound.write(.end(nil))
        var answer = ByteBuffer()
        while let part = try await parts.next() {
          if case .body(var bytes) = part { answer.writeBuffer(&bytes) }
          if case .end = part { break }
        }
        total += Int(String(buffer: answer)) ?? 0
      }
      return total
    }
  }
}
