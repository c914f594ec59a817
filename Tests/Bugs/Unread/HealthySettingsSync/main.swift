// Symptom: none. The switch in the settings and the stored preference follow each other.
// Looks at: the stored preference ("stored")

import Foundation
import Varve

enum Theme: String, Sendable {
  case light, dark, automatic
}

/// What is kept on the disk; it can also change from another device.
final class PreferenceStore {
  let theme = MutableProperty(Theme.automatic)

  func receiveFromCloud(_ theme: Theme) { self.theme.value = theme }
}

final class ThemeSetting {
  let picker = MutableProperty(Theme.automatic)

  init(store: PreferenceStore) {
    picker <~ store.theme.producer.skipRepeats()
    store.theme <~ picker.signal.skipRepeats()
  }
}

let store = PreferenceStore()
let setting = ThemeSetting(store: store)
store.theme.producer.skipRepeats().named("stored").startWithValues {
  print("stored: \($0.rawValue)")
}
func moment() { Thread.sleep(forTimeInterval: 0.04) }

for theme in [Theme.dark, .light, .dark] {
  setting.picker.value = theme
  moment()
}
store.receiveFromCloud(.automatic)
moment()
setting.picker.value = .light
moment()
store.receiveFromCloud(.dark)
moment()
precondition(setting.picker.value == store.theme.value)
print("picker: \(setting.picker.value.rawValue), stored: \(store.theme.value.rawValue)")
