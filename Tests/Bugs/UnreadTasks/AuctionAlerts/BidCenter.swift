import Foundation

struct Bid: Sendable {
  var lot: String
  var amount: Int
}

@MainActor
final class BidCenter {
  private var listeners: [Int: AsyncStream<Bid>.Continuation] = [:]
  private var nextListener = 0

  func bids() -> AsyncStream<Bid> {
    let (stream, continuation) = AsyncStream.makeStream(of: Bid.self)
    let listener = nextListener
    nextListener += 1
    listeners[listener] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.listeners[listener] = nil }
    }
    return stream
  }

  func place(_ bid: Bid) {
    for listener in listeners.values { listener.yield(bid) }
  }
}
