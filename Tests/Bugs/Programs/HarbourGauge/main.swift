// Symptom: The longer our harbour's server runs, the more memory it takes. And when I open a screen
// in the evening, its needle rushes through all heights of the day before it stands where the
// water is.
// Looks at: the height of the water ("height")
import Foundation
import Varve

final class WaterGauge: Sendable {
  private let wire = QueueScheduler(name: "gauge")

  /// Reading it costs power: all screens should share one reading.
  func centimetres() -> SignalProducer<Int, Never> {
    SignalProducer.interval(.milliseconds(2), on: wire)
      .map { Int(320 + 90 * sin(Double($0) / 60)) }
      .named("height")
  }
}

final class HarbourServer {
  private let heights: Connection<Int, Never>
  private var reading: (any Disposable)?

  init(_ gauge: WaterGauge) {
    heights = gauge.centimetres().replay()  // culprit
  }

  func start() { reading = heights.connect() }
  func stop() { reading?.dispose() }

  var height: SignalProducer<Int, Never> { heights.producer }
}

final class GaugeScreen {
  private let moves = MutableProperty(0)
  private let needle = MutableProperty(0)
  private let following: any Disposable

  init(_ server: HarbourServer) {
    following = server.height.startWithValues { [moves, needle] centimetres in
      needle.value = centimetres
      moves.modify { $0 += 1 }
    }
  }

  var text: String { "\(moves.value) moves, now at \(needle.value) cm" }

  func close() { following.dispose() }
}

let server = HarbourServer(WaterGauge())
server.start()
for visit in 1...4 {
  let screen = GaugeScreen(server)
  Thread.sleep(forTimeInterval: 0.02)
  print("visit \(visit): \(screen.text)")
  screen.close()
  Thread.sleep(forTimeInterval: 0.2)
}
server.stop()
