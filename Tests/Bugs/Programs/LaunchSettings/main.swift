// Symptom: Since the last version the app stays on its launch screen.
// Looks at: the settings that are loaded at the launch ("launch settings")

import Foundation
import Varve

struct LaunchSettings {
  var language: String
  var features: Set<String>
}

enum LoadError: Error {
  case missing(file: String)
}

final class SettingsLoader {
  private let disk = QueueScheduler(name: "disk")

  func load(_ file: String) -> SignalProducer<LaunchSettings, LoadError> {
    SignalProducer<String, LoadError>(value: file)
      .delay(.milliseconds(10), on: disk)
      .attempt { $0.hasSuffix(".plist") ? .success(()) : .failure(.missing(file: $0)) }
      .map { _ in LaunchSettings(language: "de", features: ["stories", "maps"]) }
      .observe(on: QueueScheduler.main)
      .named("launch settings")
  }
}

final class App {
  let title = MutableProperty("")
  private let loader = SettingsLoader()

  func launch() {
    switch loader.load("launch.plist").waitForFirst() {  // culprit
    case .success(let settings)?:
      title.value = settings.language == "de" ? "Willkommen" : "Welcome"
    case .failure, nil:
      title.value = "Welcome"
    }
  }
}

let app = App()
app.title.signal.observeValues { print("the window says \($0)") }
app.launch()
RunLoop.main.run(until: Date().addingTimeInterval(0.3))
