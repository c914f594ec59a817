// Symptom: None: the plot draws the latest echo when it has time, and lets others go.
// Looks at: the echoes that are drawn ("plot")

import Foundation
import Varve

final class Sonar {
  let echoes: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (echoes, input) = Signal.pipe() }

  func ping(_ number: Int) { input.send(value: number) }
  func stop() { input.sendCompleted() }
}

final class FloorPlot {
  private(set) var drawn: [Int] = []
  private let renderer = QueueScheduler(name: "renderer")

  func attach(to sonar: Sonar) {
    sonar.echoes
      .throttle(.milliseconds(50), on: renderer)
      .named("plot")
      .observeValues { [weak self] echo in
        Thread.sleep(forTimeInterval: 0.005)
        self?.drawn.append(echo)
      }
  }
}

let sonar = Sonar()
let plot = FloorPlot()
plot.attach(to: sonar)
for number in 1...200 {
  sonar.ping(number)
  Thread.sleep(forTimeInterval: 0.001)
}
Thread.sleep(forTimeInterval: 0.1)
sonar.stop()
Thread.sleep(forTimeInterval: 0.05)
print("fewer drawings than echoes: \(plot.drawn.count < 200), last: \(plot.drawn.last ?? 0)")
