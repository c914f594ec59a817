// Symptom: I have chosen the dark theme long ago. After every start the window is light, and it only
// becomes dark when I open the settings and choose it again.
// Looks at: background (the colour of the window)
import Foundation
import Varve

enum Theme: String {
  case light, dark, sepia
}

final class Settings {
  let theme: MutableProperty<Theme>
  let fontSize: MutableProperty<Int>

  init(stored: [String: String]) {
    theme = MutableProperty(stored["theme"].flatMap(Theme.init) ?? .light)
    fontSize = MutableProperty(stored["fontSize"].flatMap { Int($0) } ?? 12)
  }
}

final class Window {
  let background = MutableProperty("white")
  let font = MutableProperty("12 pt")

  init(_ settings: Settings) {
    font <~ settings.fontSize.producer.map { "\($0) pt" }
    background
      <~ settings.theme.producer
      .skipRepeats()
      .skip(first: 1)  // culprit
      .map { theme in
        switch theme {
        case .light: "white"
        case .dark: "black"
        case .sepia: "beige"
        }
      }
  }
}

let settings = Settings(stored: ["theme": "dark", "fontSize": "15"])
let window = Window(settings)
window.background.producer.named("background").startWithValues { print("window: \($0)") }
window.font.producer.startWithValues { print("font: \($0)") }

settings.fontSize.value = 16
Thread.sleep(forTimeInterval: 0.05)
print("theme in the settings: \(settings.theme.value), window: \(window.background.value)")
