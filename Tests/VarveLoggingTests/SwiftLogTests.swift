#if SwiftLog
  import Foundation
  import Logging
  import Testing
  import VarveLogging
  import VarveReactive

  @Suite struct SwiftLogTests {
    @Test("T1: a swift-log logger gets the events, with metadata, at the chosen levels")
    func logger() {
      struct Broken: Error {}
      let lines = Lines()
      var logger = Logger(label: "test") { _ in KeepingHandler(lines: lines) }
      logger.logLevel = .trace
      SignalProducer<Int, Broken>([1]).concat(error: Broken()).named("numbers")
        .logEvents(events: [.value, .failed], to: .swiftLog(logger, level: .info)).start()
      #expect(
        lines.all == [
          "info value 1 numbers SwiftLogTests.swift",
          "error failed Broken() numbers SwiftLogTests.swift",
        ])
    }
  }

  /// What a logger was told.
  private final class Lines: @unchecked Sendable {
    // Safety: locked.
    private let lock = NSLock()
    private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }
    func append(_ line: String) { lock.withLock { lines.append(line) } }
  }

  private struct KeepingHandler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(
      level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String,
      file: String, function: String, line: UInt
    ) {
      let stream = metadata?["stream"].map { "\($0)" } ?? ""
      lines.append("\(level) \(message) \(stream) \(file.split(separator: "/").last ?? "")")
    }
  }
#endif
