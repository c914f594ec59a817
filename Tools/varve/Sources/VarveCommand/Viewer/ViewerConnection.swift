internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization
internal import VarveExport

/// Answers the requests of one connection, one after the other.
///
/// Files of the page are answered at once. Questions are answered by a thread that may take its time;
/// when the connection is closed meanwhile, it learns that nobody waits any more.
final class ViewerConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let access: ViewerAccess
  private let session: ViewerSession
  private let threads: NIOThreadPool
  private let patient: NIOThreadPool
  private let connections: OpenConnections
  private var head: HTTPRequestHead?
  private let isOpen = Flag()

  /// Whether the connection is there.
  final class Flag: Sendable {
    private let value = Atomic<Bool>(true)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func clear() { value.store(false, ordering: .relaxed) }
  }

  /// - Parameter patient: threads for questions that take long.
  init(
    _ access: ViewerAccess, _ session: ViewerSession, _ threads: NIOThreadPool,
    patient: NIOThreadPool, _ connections: OpenConnections
  ) {
    self.access = access
    self.session = session
    self.threads = threads
    self.patient = patient
    self.connections = connections
  }

  func channelActive(context: ChannelHandlerContext) {
    connections.add(context.channel)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body:
      // Questions have no bodies.
      head = nil
      context.close(promise: nil)
    case .end:
      guard let head else { return }
      self.head = nil
      answer(head, context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    isOpen.clear()
    connections.remove(context.channel)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    isOpen.clear()
    context.close(promise: nil)
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let reply = Reply(channel: context.channel, keepsAlive: head.isKeepAlive)
    guard let (path, query) = access.admitted(head) else {
      return reply.send(.forbidden, "text/plain; charset=utf-8", [])
    }
    if path.hasPrefix("api/") {
      let question = ViewerQuestion(
        String(path.dropFirst(4)), QueryText.parameters(query))
      return ask(question, reply)
    }
    let name =
      path.isEmpty ? "index.html" : path.hasPrefix("page/") ? String(path.dropFirst(5)) : ""
    guard let file = ViewerSession.file(name) else {
      return reply.send(.notFound, "text/plain; charset=utf-8", [])
    }
    reply.send(.ok, file.type, Array(file.text.utf8))
  }

  private func ask(_ question: ViewerQuestion, _ reply: Reply) {
    let (session, isOpen) = (session, isOpen)
    if question.isLong { reply.begin("text/event-stream") }
    let messages = ViewerMessages(isWanted: { isOpen.isSet }, send: { reply.add($0) })
    (question.isLong ? patient : threads).submit { state in
      guard case .active = state else { return }
      switch session.answer(question, messages) {
      case .json(let json): reply.send(.ok, "application/json", Array(json.utf8))
      case .bytes(let bytes): reply.send(.ok, "application/octet-stream", bytes)
      case .sent: reply.end()
      case .refused(let reason):
        if question.isLong { return reply.end() }
        reply.send(.badRequest, "text/plain; charset=utf-8", Array(reason.utf8))
      }
    }
  }
}

/// The answer to one request. May be given by any thread.
private struct Reply: Sendable {
  let channel: any Channel
  let keepsAlive: Bool

  /// Sends a whole answer.
  func send(_ status: HTTPResponseStatus, _ type: String, _ body: [UInt8]) {
    var headers = headers(type)
    headers.add(name: "content-length", value: String(body.count))
    channel.write(part(.head(head(status, headers))), promise: nil)
    channel.write(
      part(.body(.byteBuffer(channel.allocator.buffer(bytes: body)))), promise: nil)
    end()
  }

  /// Begins an answer of messages.
  func begin(_ type: String) {
    channel.writeAndFlush(part(.head(head(.ok, headers(type)))), promise: nil)
  }

  /// Sends messages. Waits while the page does not read them, so that they do not pile up.
  func add(_ text: String) {
    let sent = channel.writeAndFlush(
      part(.body(.byteBuffer(channel.allocator.buffer(string: text)))))
    if !channel.isWritable { try? sent.wait() }
  }

  func end() {
    let (channel, keepsAlive) = (channel, keepsAlive)
    channel.writeAndFlush(part(.end(nil))).whenComplete { _ in
      if !keepsAlive { channel.close(promise: nil) }
    }
  }

  private func headers(_ type: String) -> HTTPHeaders {
    HTTPHeaders(ViewerAccess.headers + [("content-type", type)])
  }

  private func head(_ status: HTTPResponseStatus, _ headers: HTTPHeaders) -> HTTPResponseHead {
    HTTPResponseHead(version: .http1_1, status: status, headers: headers)
  }

  private func part(_ part: HTTPServerResponsePart) -> HTTPServerResponsePart { part }
}
