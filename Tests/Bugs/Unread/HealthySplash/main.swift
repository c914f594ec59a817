// Symptom: none. Without a network the app starts with the configuration that came with it.
// Looks at: the configuration at the start ("configuration")

import Foundation
import Varve

struct Configuration: Sendable {
  let version: Int
  let features: [String]
}

enum LoadError: Error {
  case tooSlow, offline
}

protocol ConfigurationSource: Sendable {
  func load() -> SignalProducer<Configuration, LoadError>
}

struct Bundled {
  static let configuration = Configuration(version: 1, features: ["search"])
}

struct Remote: ConfigurationSource {
  let network = QueueScheduler(name: "network")
  let latency: Int

  func load() -> SignalProducer<Configuration, LoadError> {
    SignalProducer(value: Configuration(version: 7, features: ["search", "maps"]))
      .delay(.milliseconds(latency), on: network)
  }
}

final class Launcher {
  let isDatabaseOpen = MutableProperty(false)
  private let scheduler = QueueScheduler(name: "launch")

  /// Waits for the database, then asks for the configuration once.
  func launch(from source: any ConfigurationSource) -> SignalProducer<Configuration, Never> {
    isDatabaseOpen.producer
      .filter { $0 }
      .take(first: 1)
      .then(configuration(from: source))
  }

  private func configuration(
    from source: any ConfigurationSource
  ) -> SignalProducer<Configuration, Never> {
    source.load()
      .timeout(after: .milliseconds(80), raising: .tooSlow, on: scheduler)
      .flatMapError { _ in SignalProducer<Configuration, Never>(value: Bundled.configuration) }
      .named("configuration")
  }
}

for latency in [20, 300] {
  let launcher = Launcher()
  launcher.launch(from: Remote(latency: latency)).start { event in
    switch event {
    case .value(let configuration): print("version \(configuration.version)")
    case .completed: print("started")
    default: break
    }
  }
  Thread.sleep(forTimeInterval: 0.03)
  launcher.isDatabaseOpen.value = true
  Thread.sleep(forTimeInterval: 0.25)
}
