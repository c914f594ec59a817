// Symptom: I make the text larger and the preview below still has the size from before. When I
// press again it is always one step behind.
// Looks at: the size of the text (the property "text size")

import Foundation
import Varve

enum TextSize: Int {
  case small = 12
  case medium = 15
  case large = 19
  case huge = 24

  var next: TextSize {
    switch self {
    case .small: .medium
    case .medium: .large
    case .large, .huge: .huge
    }
  }
}

final class SettingsStore {
  let disk = QueueScheduler(name: "settings")
  let textSize = MutableProperty(TextSize.small, named: "text size")
  private let input: Signal<TextSize, Never>.Observer

  init() {
    let (changes, input) = Signal<TextSize, Never>.pipe()
    self.input = input
    textSize
      <~ changes
      .skipRepeats()
      .observe(on: disk)
      .on(value: { Self.write($0.rawValue) })
  }

  func save(_ size: TextSize) { input.send(value: size) }

  private static func write(_ points: Int) { Thread.sleep(forTimeInterval: 0.002) }
}

final class PreviewModel {
  private let settings: SettingsStore
  private(set) var previews: [Int] = []

  init(settings: SettingsStore) { self.settings = settings }

  func pressLarger() {
    settings.save(settings.textSize.value.next)
    redraw()
  }

  private func redraw() {
    previews.append(settings.textSize.value.rawValue)  // culprit
  }
}

let settings = SettingsStore()
let preview = PreviewModel(settings: settings)
for _ in 0..<3 {
  preview.pressLarger()
  Thread.sleep(forTimeInterval: 0.1)
}
print("previews \(preview.previews), size \(settings.textSize.value.rawValue)")
