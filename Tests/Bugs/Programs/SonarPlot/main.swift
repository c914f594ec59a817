// Symptom: The plot of the sea floor falls behind: when the boat has stopped, it goes on drawing for
// seconds, and the memory only grows while we sail.
// Looks at: the echoes that are drawn ("plot")

import Foundation
import Varve

struct Echo {
  var number: Int
  var meters: Double
}

final class Sonar {
  let echoes: Signal<Echo, Never>
  private let input: Signal<Echo, Never>.Observer

  init() { (echoes, input) = Signal.pipe() }

  func ping(_ number: Int) {
    input.send(value: Echo(number: number, meters: 20 + sin(Double(number) / 30)))
  }
}

final class FloorPlot {
  private(set) var drawn = 0
  private let renderer = QueueScheduler(name: "renderer")

  func attach(to sonar: Sonar) {
    sonar.echoes
      .filter { $0.meters > 1 }
      .observe(on: renderer)  // culprit
      .named("plot")
      .observeValues { [weak self] echo in
        Thread.sleep(forTimeInterval: 0.01)
        self?.drawn = echo.number
      }
  }
}

let sonar = Sonar()
let plot = FloorPlot()
plot.attach(to: sonar)
for number in 1...400 {
  sonar.ping(number)
  Thread.sleep(forTimeInterval: 0.001)
}
print("The boat stops at echo 400. Drawn more than half: \(plot.drawn > 200)")
Thread.sleep(forTimeInterval: 4)
print("Four seconds later: \(plot.drawn)")
