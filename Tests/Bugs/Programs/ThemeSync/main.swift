// Symptom: Since I use the app on two devices its cloud traffic does not end: gigabytes in a night,
// for a setting that I changed once.
// Looks at: the settings in the cloud (the property "cloud settings")

import Foundation
import Varve

struct Settings: Equatable {
  var theme: String
  var changed: Int
}

final class Cloud {
  let settings = MutableProperty(Settings(theme: "light", changed: 0), named: "cloud settings")
  let queue = QueueScheduler(name: "cloud")
}

final class Device {
  let name: String
  let settings = MutableProperty(Settings(theme: "light", changed: 0))
  private let disk: QueueScheduler
  private var clock = 0

  init(name: String, cloud: Cloud) {
    self.name = name
    disk = QueueScheduler(name: name)
    settings
      <~ cloud.settings.signal
      .skipRepeats()
      .observe(on: disk)
      .map { [unowned self] in stamped($0) }  // culprit
    cloud.settings
      <~ settings.signal
      .skipRepeats()
      .observe(on: cloud.queue)
  }

  func choose(theme: String) { settings.value = stamped(Settings(theme: theme, changed: 0)) }

  private func stamped(_ settings: Settings) -> Settings {
    clock = max(clock, settings.changed) + 1
    Thread.sleep(forTimeInterval: 0.0005)
    return Settings(theme: settings.theme, changed: clock)
  }
}

let cloud = Cloud()
let phone = Device(name: "phone", cloud: cloud)
let tablet = Device(name: "tablet", cloud: cloud)
phone.choose(theme: "dark")
Thread.sleep(forTimeInterval: 0.8)
print("phone \(phone.settings.value.theme), tablet \(tablet.settings.value.theme)")
print("changes: \(cloud.settings.value.changed)")
