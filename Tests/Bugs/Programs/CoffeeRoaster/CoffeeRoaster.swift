// Symptom: The alarm for a too steep curve comes one reading late. At the first reading that is too
// hot the roaster stays silent.
// Looks at: alarm (the alarm of the roaster)
import Foundation
import Varve

final class Drum: Sendable {
  let degrees = MutableProperty(150)
}

final class RoastModel: Sendable {
  let degrees: Property<Int>
  let slope = MutableProperty(0)
  let alarm = MutableProperty("")
  private let limit = MutableProperty(12)

  init(_ drum: Drum) {
    degrees = Property(drum.degrees)
    alarm
      <~ degrees.signal
      .map { [slope, limit] degrees in  // culprit
        slope.value > limit.value ? "too steep at \(degrees) °C" : "fine at \(degrees) °C"
      }
      .named("alarm")
    slope
      <~ degrees.signal
      .combinePrevious(drum.degrees.value)
      .map { $1 - $0 }
  }

  /// A light roast allows a steeper curve.
  func choose(isLight: Bool) { limit.value = isLight ? 18 : 12 }
}

final class RoasterPanel: Sendable {
  private let model: RoastModel

  init(_ model: RoastModel) {
    self.model = model
    model.alarm.signal.observeValues { print("alarm: \($0)") }
    model.slope.signal.skipRepeats().observeValues { print("slope: \($0)") }
  }

  func pressLight() { model.choose(isLight: true) }
  func pressDark() { model.choose(isLight: false) }
}

let drum = Drum()
let model = RoastModel(drum)
let panel = RoasterPanel(model)
panel.pressLight()
panel.pressDark()
for degrees in [158, 166, 190, 198, 206] {
  drum.degrees.value = degrees
  Thread.sleep(forTimeInterval: 0.02)
}
