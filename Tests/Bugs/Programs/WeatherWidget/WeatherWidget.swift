// Symptom: The widget shows the weather of yesterday, although the phone is online and the map app
// has today's.
// Looks at: forecast (the text of the widget)
import Foundation
import Varve

struct Forecast: Equatable {
  let day: String
  let degrees: Int
}

enum WeatherError: Error {
  case tooSlow
  case noStation
}

final class WeatherService: Sendable {
  private let network = QueueScheduler(name: "network")

  func station(at place: String) -> SignalProducer<Int, WeatherError> {
    SignalProducer(value: 10_488).delay(.milliseconds(70), on: network)
  }

  func forecast(for station: Int) -> SignalProducer<Forecast, WeatherError> {
    SignalProducer(value: Forecast(day: "Tuesday", degrees: 21))
      .delay(.milliseconds(70), on: network)
  }
}

final class Widget {
  let forecast = MutableProperty("")
  private let cached = Forecast(day: "Monday", degrees: 14)
  private let timers = QueueScheduler(name: "timers")
  private let service = WeatherService()

  func refresh(at place: String) {
    forecast
      <~ service.station(at: place)
      .flatMap(.latest) { [service] in service.forecast(for: $0) }
      .timeout(after: .milliseconds(100), raising: .tooSlow, on: timers)  // culprit
      .flatMapError { [cached] _ in SignalProducer<Forecast, Never>(value: cached) }
      .map { "\($0.day): \($0.degrees)°" }
      .named("forecast")
  }
}

let widget = Widget()
widget.forecast.signal.observeValues { print($0) }
widget.refresh(at: "Dresden")
Thread.sleep(forTimeInterval: 0.4)
widget.refresh(at: "Dresden")
Thread.sleep(forTimeInterval: 0.4)
