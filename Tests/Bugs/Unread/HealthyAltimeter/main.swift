// Symptom: None. The altimeter measures all day; the hiker looks at it in the hut, from noon on, and
// puts it away again while it still measures.
// Looks at: shown (the altitude on the screen)

import Foundation
import Varve

final class Altimeter {
  let altitude: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let sensor = QueueScheduler(name: "pressure")
  private let measuring = SerialDisposable()

  init() { (altitude, input) = Signal.pipe() }

  func switchOn() {
    measuring.inner = SignalProducer.interval(.milliseconds(5), on: sensor)
      .startWithValues { [input] in input.send(value: 1_200 + 3 * $0) }
  }

  func switchOff() { measuring.dispose() }
}

final class AltitudeScreen {
  let altitude = MutableProperty<Int?>(nil)
  let climb: Property<Int>
  private let token = Lifetime.Token()

  init(altimeter: Altimeter) {
    let (lifetime, sinceHut) = (Lifetime(token), altimeter.altitude.combinePrevious())
    altitude
      <~ altimeter.altitude
      .take(during: lifetime)
      .map { Optional($0 / 10 * 10) }
      .skipRepeats()
      .named("shown")
    climb = Property(
      initial: 0,
      then:
        sinceHut
        .take(during: lifetime)
        .map { max(0, $1 - $0) }
        .scan(0) { $0 + $1 })
  }
}

let altimeter = Altimeter()
altimeter.switchOn()
let highest = Property(initial: 0, then: altimeter.altitude.scan(0) { max($0, $1) })
Thread.sleep(forTimeInterval: 0.2)

var screen: AltitudeScreen? = AltitudeScreen(altimeter: altimeter)
Thread.sleep(forTimeInterval: 0.2)
print("now \(screen?.altitude.value ?? 0) m, climbed \(screen?.climb.value ?? 0) m since the hut")
screen = nil
Thread.sleep(forTimeInterval: 0.2)
altimeter.switchOff()
print("highest: \(highest.value) m")
