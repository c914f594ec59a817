// Symptom: In a lively auction the price on my screen is behind: the hammer has fallen, and the bids of
// a minute ago are still coming in, one after the other.
// Looks at: price (the large number)
import Foundation
import Varve

struct Bid {
  let euros: Int
  let bidder: Int
}

final class AuctionServer {
  let bids: Signal<Bid, Never>
  private let input: Signal<Bid, Never>.Observer
  private let network = QueueScheduler(name: "auction")

  init() { (bids, input) = Signal.pipe(named: "bids") }

  func open(bids count: Int) {
    for number in 1...count {
      network.schedule(after: .milliseconds(5 * number)) { [input] in
        input.send(value: Bid(euros: 100 + 5 * number, bidder: number % 7))
      }
    }
  }
}

final class AuctionScreen {
  let price = MutableProperty(100)
  private let animations = QueueScheduler(name: "animations")

  /// The number is turned like a page, which takes a moment.
  init(_ server: AuctionServer) {
    let beat = SignalProducer<Int, Never>.interval(
      0..., interval: .milliseconds(30), on: animations)
    price
      <~ server.bids.producer
      .filter { $0.euros > 0 }
      .zip(with: beat)  // culprit
      .map { bid, _ in bid.euros }
  }
}

let server = AuctionServer()
let screen = AuctionScreen(server)
let last = MutableProperty(0)
last <~ server.bids.map(\.euros)
screen.price.signal.named("price").observeValues { print("\($0) €, bid: \(last.value) €") }
server.open(bids: 120)
Thread.sleep(forTimeInterval: 0.7)
print("hammer at \(last.value) €, on the screen: \(screen.price.value) €")
Thread.sleep(forTimeInterval: 0.2)
