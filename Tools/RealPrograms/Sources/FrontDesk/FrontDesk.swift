import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// What the server counts, as servers do: in an actor.
actor Guests {
  private var names: [String: Int] = [:]
  var total: Int { names.values.reduce(0, +) }

  func welcome(_ name: String) -> Int {
    names[name, default: 0] += 1
    return names[name]!
  }
}

@main
struct FrontDesk {
  static let clients = 8
  static let rounds = 50

  static func main() async throws { try await run() }

  static func run() async throws {
    let guests = Guests()
    let router = Router()
    router.get("hello/:name") { _, context in
      let name = try context.parameters.require("name")
      return "hello \(name), visit \(await guests.welcome(name))"
    }
    router.post("length") { request, _ in
      let body = try await request.body.collect(upTo: 1 << 20)
      return "\(body.readableBytes)"
    }
    router.get("slow") { _, _ in
      try await Task.sleep(for: .milliseconds(5))
      return "at last"
    }
    let (ports, running) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "desk")
    logger.logLevel = .error
    let app = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { running.yield($0.localAddress!.port!) }, logger: logger)
    let services = ServiceGroup(services: [app], logger: logger)
    let serving = Task(name: "serving") { try await services.run() }
    var ready = ports.makeAsyncIterator()
    let port = await ready.next()!

    let bytes = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...clients {
        group.addTask(name: "guest \(number)") { try await visit(port, number) }
      }
      return try await group.reduce(0, +)
    }
    print("\(bytes) bytes received, \(await guests.total) visits")
    await services.triggerGracefulShutdown()
    try await serving.value
    print("the server has ended")
  }

  /// One connection, on which requests follow each other. Returns how many bytes were received.
  static func visit(_ port: Int, _ number: Int) async throws -> Int {
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
            wrappingChannelSynchronously: channel)
        }
      }
    return try await connection.executeThenClose { inbound, outbound in
      var answers = inbound.makeAsyncIterator()
      var total = 0
      for round in 1...rounds {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/hello/guest\(number)")
        head.headers.add(name: "host", value: "127.0.0.1")
        try await send(head, round, outbound)
        while let part = try await answers.next() {
          if case .body(let bytes) = part { total += bytes.readableBytes }
          if case .end = part { break }
        }
      }
      return total
    }
  }

  /// Sends a request: one of ten waits, another has a body.
  static func send(
    _ head: HTTPRequestHead, _ round: Int,
    _ outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
  ) async throws {
    var head = head
    if round.isMultiple(of: 10) {
      head.uri = "/slow"
    } else if round.isMultiple(of: 5) {
      head.method = .POST
      head.uri = "/length"
      head.headers.add(name: "content-length", value: "50000")
      try await outbound.write(.head(head))
      try await outbound.write(.body(.byteBuffer(ByteBuffer(repeating: 7, count: 50_000))))
      return try await outbound.write(.end(nil))
    }
    try await outbound.write(.head(head))
    try await outbound.write(.end(nil))
  }
}
