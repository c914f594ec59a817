// Symptom: My subscription ran out during the cruise. The provider has blocked my boat, because it
// asked some thousand times an hour since then; before, it was once for each stretch.
// Looks at: what the boat asks the provider ("requests")
import Foundation
import Varve

struct Forecast: Sendable {
  let square: String
  let knots: Int
}

enum ForecastError: Error {
  case noConnection
  case subscriptionEnded
}

final class Provider: Sendable {
  let requests: Signal<String, Never>
  private let input: Signal<String, Never>.Observer
  private let satellite = QueueScheduler(name: "satellite")
  private let paidUntil: Int
  private let asked = MutableProperty(0)

  init(paidFor count: Int) {
    paidUntil = count
    (requests, input) = Signal.pipe()
  }

  func forecast(for square: String) -> SignalProducer<Forecast, ForecastError> {
    SignalProducer { [self] () -> Result<Forecast, ForecastError> in
      input.send(value: square)
      Thread.sleep(forTimeInterval: 0.002)
      let number = asked.modify { count -> Int in
        count += 1
        return count
      }
      if number > paidUntil { return .failure(.subscriptionEnded) }
      // Behind a mountain there is no connection for a moment.
      if number % 3 == 2 { return .failure(.noConnection) }
      return .success(Forecast(square: square, knots: 8 + number * 5 % 17))
    }
    .start(on: satellite)
  }
}

final class Plotter {
  let square = MutableProperty("A1")
  let wind: Property<String>

  init(_ provider: Provider, on screen: any Scheduler) {
    let lines = square.producer
      .skipRepeats()
      .flatMap(.latest) { square in
        provider.forecast(for: square)
          .retry()  // culprit
          .map { "\($0.square): \($0.knots) knots" }
          .flatMapError { _ in SignalProducer(value: "\(square): no forecast") }
      }
    wind = Property(initial: "…", then: lines.observe(on: screen))
  }
}

let provider = Provider(paidFor: 7)
let asked = MutableProperty(0)
asked <~ provider.requests.named("requests").scan(0) { count, _ in count + 1 }
let plotter = Plotter(provider, on: QueueScheduler(name: "screen"))
plotter.wind.signal.observeValues { print($0) }
for square in ["A2", "B2", "B3", "C3", "C4", "D4"] {
  Thread.sleep(forTimeInterval: 0.06)
  plotter.square.value = square
}
Thread.sleep(forTimeInterval: 0.1)
print("7 squares, \(asked.value) requests")
exit(0)
