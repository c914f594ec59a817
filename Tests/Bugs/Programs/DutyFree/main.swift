// Symptom: I opened the app on the plane, without a network. Now I have one again, but no prices in
// euros appear, however often I pull down to refresh. After a restart they are there.
// Looks at: the price ("price")

import Foundation
import Varve

enum NetworkError: Error {
  case offline
}

final class RatesAPI {
  var isOnline = false
  private let network = QueueScheduler(name: "network")

  func rate(of currency: String) -> SignalProducer<Double, NetworkError> {
    SignalProducer { [weak self, network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(15)) {
        guard self?.isOnline == true else { return observer.send(error: .offline) }
        observer.send(value: currency == "NOK" ? 0.085 : 1)
        observer.sendCompleted()
      }
    }
  }
}

/// Asks for each rate once in a session.
final class RateRepository {
  private let api: RatesAPI
  private var rates: [String: SignalProducer<Double, NetworkError>] = [:]

  init(api: RatesAPI) { self.api = api }

  func rate(of currency: String) -> SignalProducer<Double, NetworkError> {
    if let known = rates[currency] { return known }
    let rate = api.rate(of: currency)
      .replayLazily(upTo: 1)  // culprit
    rates[currency] = rate
    return rate
  }
}

final class ShelfModel {
  let price = MutableProperty<String?>(nil, named: "price")
  let banner = MutableProperty<String?>(nil)
  private let repository: RateRepository

  init(repository: RateRepository) { self.repository = repository }

  func refresh() {
    banner.value = nil
    repository.rate(of: "NOK").startWithResult { [price, banner] result in
      switch result {
      case .success(let rate): price.value = "€ \((rate * 249 * 100).rounded() / 100)"
      case .failure: banner.value = "No connection"
      }
    }
  }
}

let api = RatesAPI()
let model = ShelfModel(repository: RateRepository(api: api))
for attempt in 1...4 {
  model.refresh()
  Thread.sleep(forTimeInterval: 0.1)
  print("\(attempt): \(model.price.value ?? "–") \(model.banner.value ?? "")")
  api.isOnline = true
}
