internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import VarveExport
internal import VarvePlatform
internal import VarveProbe

/// Serves the viewer's page and its answers on loopback, until the user ends it.
final class ViewerServer {
  let access: ViewerAccess
  private let session: ViewerSession
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  /// For questions that are answered soon …
  private let threads: NIOThreadPool
  /// … and for those that take long, and the pass over the trace.
  private let patient: NIOThreadPool
  private let channel: any Channel
  private let connections = OpenConnections()

  /// The number of questions that are answered at once …
  private static let mostQuestions = 3
  /// … and of long ones, which pages leave open.
  private static let mostLong = 16
  /// The number of connections that wait to be accepted.
  private static let backlog: Int32 = 64

  /// Listens on a port, 0 for any that is free.
  init(_ session: ViewerSession, port: Int) throws(CommandEnd) {
    self.session = session
    threads = NIOThreadPool(numberOfThreads: Self.mostQuestions)
    patient = NIOThreadPool(numberOfThreads: Self.mostLong)
    threads.start()
    patient.start()
    let (threads, patient, connections) = (threads, patient, connections)
    let place = ViewerAddress()
    let server = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: Self.backlog)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let access = place.access else { throw ChannelError.ioOnClosedChannel }
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(
            ViewerConnection(access, session, threads, patient: patient, connections))
        }
      }
    do {
      channel = try server.bind(host: "127.0.0.1", port: port).wait()
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
      throw CommandEnd(
        .unreadable,
        "cannot listen on port \(port) of 127.0.0.1: \(reason ?? "\(error)"); --port 0 takes any")
    }
    access = ViewerAccess(port: channel.localAddress?.port ?? port)
    place.set(access)
  }

  /// Counts the trace's events in the background, on as many threads as there are processors, up to
  /// four.
  func beginCounting() {
    let (session, threads) = (session, patient)
    let parts = min(max(System.coreCount, 1), 4)
    let loop = group.next()
    threads.submit { state in
      guard case .active = state else { return }
      session.countAll(parts: parts) { parts, count in
        // One part by this thread, the others by others.
        let others = (1..<max(parts, 1)).map { part in
          threads.runIfActive(eventLoop: loop) { count(part) }
        }
        count(0)
        for other in others { try? other.wait() }
      }
    }
  }

  /// Waits until the user ends the command, by Control-C for example.
  ///
  /// - Parameter signals: signals that are blocked in all threads.
  static func wait(for signals: sigset_t) {
    var (signals, number) = (signals, Int32(0))
    while sigwait(&signals, &number) != 0 {}
  }

  func stop() {
    session.close()
    try? channel.close().wait()
    connections.close()
    // Threads that are still answering use the event loop, which therefore ends after them.
    try? threads.syncShutdownGracefully()
    try? patient.syncShutdownGracefully()
    try? group.syncShutdownGracefully()
  }
}

/// Who may ask, which is known when the port is: connections before that are closed.
private final class ViewerAddress: Sendable {
  private let known = Lock<ViewerAccess?>(nil)
  var access: ViewerAccess? { known.withLock { $0 } }
  func set(_ access: ViewerAccess) { known.withLock { $0 = access } }
}
