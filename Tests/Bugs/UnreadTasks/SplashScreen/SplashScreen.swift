// Symptom: Since the settings come from a file that is read with async, the app does not get past
// its splash screen.
// Looks at: the start of the app ("settings")

import Foundation

struct Settings: Sendable {
  var language = "en"
  var usesMetric = true
}

actor SettingsFile {
  func read() async throws -> Settings {
    try await Task.sleep(for: .milliseconds(10))
    return Settings(language: "is", usesMetric: true)
  }
}

@MainActor
final class AppStart {
  private let file = SettingsFile()
  private var settings = Settings()
  private(set) var isSplashShown = true

  /// The first screen cannot be drawn without the settings.
  private func loadSettings() -> Settings {
    let loaded = DispatchSemaphore(value: 0)
    Task(name: "settings") {
      do {
        settings = try await file.read()
      } catch {
        print("using the defaults: \(error)")
      }
      loaded.signal()
    }
    loaded.wait()  // culprit
    return settings
  }

  func launch() -> String {
    print("splash")
    let settings = loadSettings()
    isSplashShown = false
    return settings.language == "is" ? "Velkomin" : "Welcome"
  }
}

let app = AppStart()
print(app.launch())
try await Task.sleep(for: .milliseconds(50))
