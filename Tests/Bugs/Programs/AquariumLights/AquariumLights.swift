// Symptom: I set the aquarium to moonlight. The slider is where I put it, the lamps stay as
// bright as they were.
// Looks at: lamps (how bright the lamps are)
import Foundation
import Varve

final class LampDriver {
  let brightness = MutableProperty(90)
  private let wire = QueueScheduler(name: "wire")

  /// Dims step by step, for the fish.
  func dim(to percent: Int) -> SignalProducer<Int, Never> {
    let now = brightness.value
    let steps = stride(from: now, through: percent, by: percent < now ? -10 : 10)
    return SignalProducer.interval(steps, interval: .milliseconds(10), on: wire)
      .on(value: { [brightness] in brightness.value = $0 })
  }
}

final class LightPanel {
  let slider = MutableProperty(90)
  private let observations = CompositeDisposable()

  init(_ driver: LampDriver) {
    observations += slider.signal
      .skipRepeats()
      .map { min(max($0, 5), 100) }
      .observeValues { percent in
        _ = driver.dim(to: percent)  // culprit
      }
  }

  func choose(_ percent: Int) { slider.value = percent }

  deinit { observations.dispose() }
}

let driver = LampDriver()
let panel = LightPanel(driver)
driver.brightness.signal.named("lamps").observeValues { print("lamps: \($0)%") }
panel.choose(60)
Thread.sleep(forTimeInterval: 0.15)
panel.choose(10)
Thread.sleep(forTimeInterval: 0.15)
print("slider at \(panel.slider.value)%, lamps at \(driver.brightness.value)%")
