// Symptom: I follow my daughter's marathon. After a few kilometres the page says that her watch is
// silent, and the dot does not move any more, although she wears the watch and it sends all the time.
// Looks at: position (the dot on the map)
import Foundation
import Varve

struct Fix {
  let runner: Int
  let metres: Int
}

enum TrackingError: Error {
  case silent
}

final class Watch: Sendable {
  private let runner: Int
  private let radio = QueueScheduler(name: "radio")

  init(runner: Int) { self.runner = runner }

  func fixes() -> SignalProducer<Fix, Never> {
    SignalProducer.interval(1...20, interval: .milliseconds(25), on: radio)
      .map { [runner] in Fix(runner: runner, metres: $0 * 400) }
  }
}

final class TrackingService {
  private let clock = QueueScheduler(name: "tracking")
  private let watches: [Int: Watch]

  init(_ runners: [Int]) {
    watches = Dictionary(uniqueKeysWithValues: runners.map { ($0, Watch(runner: $0)) })
  }

  /// Fails when the watch is silent for a while.
  func follow(_ runner: Int) -> SignalProducer<Fix, TrackingError> {
    guard let watch = watches[runner] else { return .empty }
    return watch.fixes()
      .timeout(after: .milliseconds(160), raising: TrackingError.silent, on: clock)  // culprit
  }
}

final class MapPage {
  let position = MutableProperty(0)
  let banner = MutableProperty("")
  private let service: TrackingService

  init(_ service: TrackingService) { self.service = service }

  func follow(_ runner: Int) {
    position
      <~ service.follow(runner)
      .map { $0.metres }
      .flatMapError { [banner] error in
        banner.value = "The watch is \(error)"
        return .empty
      }
  }
}

let page = MapPage(TrackingService([101, 2204]))
page.position.signal.named("position").observeValues { print("\($0) m") }
page.banner.signal.observeValues { print($0) }
page.follow(2204)
Thread.sleep(forTimeInterval: 0.7)
print("still at \(page.position.value) m of 8000 m")
