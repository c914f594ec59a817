import Foundation

struct Telegram: Sendable {
  var text: String
  var origin: String
  var destination: String
}

final class IncomingLine: Sendable {
  let telegrams: AsyncStream<Telegram>
  private let continuation: AsyncStream<Telegram>.Continuation

  init() {
    (telegrams, continuation) = AsyncStream.makeStream()
  }

  func arrive(_ text: String, from origin: String, to destination: String) {
    continuation.yield(Telegram(text: text, origin: origin, destination: destination))
  }

  func close() {
    continuation.finish()
  }
}

/// The strokes of a telegram, as the relay needs them.
final class Transcript: Sendable {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var alive = 0
  static var kilobytes: Int { lock.withLock { alive * 4 } }

  let strokes: [UInt8]

  init(of telegram: Telegram) {
    strokes = Array(repeating: UInt8(telegram.text.utf8.count), count: 4_096)
    Self.lock.withLock { Self.alive += 1 }
  }

  deinit {
    Self.lock.withLock { Self.alive -= 1 }
  }
}
