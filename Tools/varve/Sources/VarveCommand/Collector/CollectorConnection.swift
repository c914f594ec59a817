internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A connection to a collector, over which requests go one after the other. It is opened when it is
/// needed, and again when the collector has closed it.
final class CollectorConnection {
  private let endpoint: CollectorEndpoint
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private var channel: (any Channel)?

  init(_ endpoint: CollectorEndpoint) { self.endpoint = endpoint }

  deinit {
    try? channel?.close().wait()
    try? group.syncShutdownGracefully()
  }

  /// Sends a request and waits for the answer.
  func post(_ body: [UInt8], isPacked: Bool) throws(CollectorFailure) -> CollectorAnswer {
    do {
      return try answer(to: body, isPacked)
    } catch {
      throw CollectorFailure(error, reaching: "\(endpoint.host):\(endpoint.port)")
    }
  }

  private func answer(to body: [UInt8], _ isPacked: Bool) throws -> CollectorAnswer {
    let channel = try connected()
    var headers = HTTPHeaders([
      ("host", endpoint.authority), ("content-type", "application/x-protobuf"),
      ("content-length", String(body.count)), ("user-agent", "varve"),
    ])
    if isPacked { headers.add(name: "content-encoding", value: "gzip") }
    for header in endpoint.headers { headers.replaceOrAdd(name: header.name, value: header.value) }
    let answer = channel.eventLoop.makePromise(of: CollectorAnswer.self)
    let timeout = channel.eventLoop.scheduleTask(in: .milliseconds(endpoint.timeout)) {
      answer.fail(CollectorFailure.timeout)
    }
    let head = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: endpoint.path, headers: headers)
    channel.write(AnswerReader.Asked(head: head, body: body, answer: answer), promise: nil)
    channel.flush()
    defer { timeout.cancel() }
    do {
      return try answer.futureResult.wait()
    } catch {
      // What comes late must not be taken for the answer to another request.
      close()
      throw error
    }
  }

  /// Closes the connection; the next request opens another.
  func close() {
    try? channel?.close().wait()
    channel = nil
  }

  private func connected() throws -> any Channel {
    if let channel, channel.isActive { return channel }
    let opened = try ClientBootstrap(group: group)
      .connectTimeout(.milliseconds(endpoint.timeout))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(AnswerReader())
        }
      }
      .connect(host: endpoint.host, port: endpoint.port).wait()
    channel = opened
    return opened
  }
}

/// Writes one request at a time, and gathers its answer.
private final class AnswerReader: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = Asked
  typealias OutboundOut = HTTPClientRequestPart

  struct Asked: Sendable {
    var head: HTTPRequestHead
    var body: [UInt8]
    var answer: EventLoopPromise<CollectorAnswer>
  }

  private var waiting: EventLoopPromise<CollectorAnswer>?
  private var answer = CollectorAnswer(status: 0, body: [])
  private var isLast = false

  /// An answer holds a few sentences.
  private static let mostBytes = 1 << 20

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let asked = unwrapOutboundIn(data)
    waiting = asked.answer
    context.write(wrapOutboundOut(.head(asked.head)), promise: nil)
    let body = context.channel.allocator.buffer(bytes: asked.body)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    context.write(wrapOutboundOut(.end(nil)), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      answer = CollectorAnswer(
        status: Int(head.status.code), retryAfter: head.headers.first(name: "retry-after"), body: []
      )
      isLast = !head.isKeepAlive
    case .body(let part):
      answer.body += part.readableBytesView
      if answer.body.count > Self.mostBytes { fail(CollectorFailure.tooLong, context) }
    case .end:
      let answered = waiting
      waiting = nil
      if isLast { context.close(promise: nil) }
      answered?.succeed(answer)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

  func channelInactive(context: ChannelHandlerContext) {
    waiting?.fail(CollectorFailure.closed)
    waiting = nil
    context.fireChannelInactive()
  }

  private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
    waiting?.fail(error)
    waiting = nil
    context.close(promise: nil)
  }
}
