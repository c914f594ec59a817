import Foundation

enum RadioError: Error {
  case tooLong
}

actor RadioServer {
  private var listeners: [AsyncStream<String>.Continuation] = []
  private(set) var posted: [String] = []

  func incoming() -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    listeners.append(continuation)
    return stream
  }

  func receive(_ text: String) {
    for listener in listeners { listener.yield(text) }
  }

  func post(_ text: String) async throws {
    guard text.count < 200 else { throw RadioError.tooLong }
    try await Task.sleep(for: .milliseconds(120))
    posted.append(text)
  }
}
