// Symptom: In the morning the big screen at the beach is empty. The flag is there only after the
// lifeguard has changed it for the first time, and today he had no reason to.
// Looks at: the screen ("screen")

import Foundation
import Varve

enum Flag: String {
  case green, yellow, red
}

final class LifeguardTower {
  let flag: MutableProperty<Flag>
  let swell = MutableProperty(0.3)

  init(morning: Flag) { flag = MutableProperty(morning) }

  func measure(_ height: Double) {
    swell.value = height
    if height > 1.5, flag.value != .red { flag.value = .red }
  }
}

final class BigScreen {
  private(set) var lines: [String] = []
  private let token = Lifetime.Token()

  init(_ tower: LifeguardTower) {
    tower.flag.signal  // culprit
      .skipRepeats()
      .map { flag -> String in
        switch flag {
        case .green: "Enjoy your swim"
        case .yellow: "Take care"
        case .red: "No swimming"
        }
      }
      .named("screen")
      .take(during: Lifetime(token))
      .observeValues { [unowned self] in lines.append($0) }
  }
}

let tower = LifeguardTower(morning: .green)
let screen = BigScreen(tower)
for height in [0.4, 0.5, 0.7, 0.6, 0.9] {
  tower.measure(height)
  Thread.sleep(forTimeInterval: 0.04)
}
print(screen.lines.last ?? "(the screen is empty)")
