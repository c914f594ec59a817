// Symptom: The app complains that the loudness label is changed outside the main thread, and now and
// then the label stays half drawn.
// Looks at: the loudness ("loudness")

import Foundation
import Varve

final class Microphone {
  let queue = QueueScheduler(name: "audio")
  let levels: Signal<Double, Never>
  private let input: Signal<Double, Never>.Observer
  private var sampling: (any Disposable)?

  init() { (levels, input) = Signal.pipe() }

  func open() {
    sampling = SignalProducer.interval(.milliseconds(8), on: queue)
      .startWithValues { [input] tick in
        input.send(value: abs(sin(Double(tick) / 6)) * 0.8)
      }
  }

  func close() { sampling?.dispose() }
}

/// Stands in for a label of the interface.
final class Label {
  private(set) var changesOffMain = 0
  var text = "" {
    didSet { if !Thread.isMainThread { changesOffMain += 1 } }
  }
}

final class NurseryScreen {
  let loudness = Label()
  let battery = Label()
  private let observations = CompositeDisposable()

  init(microphone: Microphone, charge: Property<Int>) {
    observations += microphone.levels
      .map { Int($0 * 100) }
      .observe(on: UIScheduler())
      .throttle(.milliseconds(50), on: microphone.queue)  // culprit
      .skipRepeats()
      .named("loudness")
      .observeValues { [loudness] in loudness.text = "\($0) %" }
    observations += charge.producer
      .observe(on: UIScheduler())
      .startWithValues { [battery] in battery.text = "\($0) % charged" }
  }

  deinit { observations.dispose() }
}

let microphone = Microphone()
let charge = MutableProperty(91)
let screen = NurseryScreen(microphone: microphone, charge: Property(charge))
microphone.open()
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.3))
charge.value = 90
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.3))
microphone.close()
print(screen.loudness.text, screen.battery.text)
print("changed off the main thread: \(screen.loudness.changesOffMain) times")
