// Symptom: I ask what the big boat costs in August. The page says "one moment" for ever: neither a
// price nor a word of what is wrong. With the small boats it works.
// Looks at: quotes (the prices that the page shows)
import Foundation
import Varve

struct Inquiry: Sendable {
  let boat: String
  let weeks: Int
}

enum Refusal: Error {
  case sold(String)
  case tooLong(Int)
}

final class Broker: Sendable {
  private let network = QueueScheduler(name: "broker")
  private let weekly = ["dinghy": 210, "sloop": 890, "yawl": 1240]

  func price(of inquiry: Inquiry) -> SignalProducer<Int, Refusal> {
    SignalProducer { [weekly] () -> Result<Int, Refusal> in
      guard let price = weekly[inquiry.boat] else { return .failure(.sold(inquiry.boat)) }
      return inquiry.weeks > 4 ? .failure(.tooLong(inquiry.weeks)) : .success(price)
    }
    .delay(.milliseconds(15), on: network)
  }
}

final class CharterPage: Sendable {
  let line = MutableProperty("")
  private let inquiries: Signal<Inquiry, Never>
  private let input: Signal<Inquiry, Never>.Observer

  init(_ broker: Broker) {
    (inquiries, input) = Signal.pipe()
    let prices = inquiries.flatMap(.latest) { inquiry in
      broker.price(of: inquiry)
        .map { "\(inquiry.boat): \($0 * inquiry.weeks) euro" }
        .materializeResults()
        .compactMap { try? $0.get() }  // culprit
    }
    line <~ inquiries.map { "one moment: \($0.boat)" }
    line <~ prices.named("quotes")
  }

  func ask(_ boat: String, weeks: Int) {
    input.send(value: Inquiry(boat: boat, weeks: weeks))
  }
}

let page = CharterPage(Broker())
page.line.signal.observeValues { print($0) }
for boat in ["dinghy", "yawl", "ketch"] {
  page.ask(boat, weeks: 2)
  Thread.sleep(forTimeInterval: 0.12)
}
print("still: \(page.line.value)")
