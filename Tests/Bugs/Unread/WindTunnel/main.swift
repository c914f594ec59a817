// Symptom: In the film of the wind tunnel the forces beside the model are right at the start, and after
// some minutes they are those from long before. The recorder needs more and more memory.
// Looks at: the pictures with their force ("film")
import Foundation
import Varve

struct Frame {
  let number: Int
  let pixels: [UInt8]
}

struct Force {
  let newtons: Double
  let time: Double
}

final class Balance {
  let forces: Signal<Force, Never>
  private let input: Signal<Force, Never>.Observer
  private let queue = QueueScheduler(name: "balance")
  private var ticks: Disposable?

  init() { (forces, input) = Signal.pipe(named: "forces") }

  func start() {
    var time = 0.0
    ticks = queue.schedule(after: .zero, every: .milliseconds(2)) { [input] in
      time += 0.002
      input.send(value: Force(newtons: 80 + 5 * sin(time * 9), time: time))
    }
  }

  func stop() { ticks?.dispose() }
}

final class Camera {
  func frames(on clock: QueueScheduler) -> SignalProducer<Frame, Never> {
    SignalProducer.interval(0..., interval: .milliseconds(20), on: clock)
      .map { Frame(number: $0, pixels: Array(repeating: 7, count: 64)) }
  }
}

final class FilmStrip {
  private let clock = QueueScheduler(name: "camera")

  func expose(_ camera: Camera, _ balance: Balance) -> SignalProducer<String, Never> {
    camera.frames(on: clock)
      .zip(with: balance.forces.producer)  // culprit
      .map { frame, force in
        String(format: "picture %d: %.1f N (%.3f s)", frame.number, force.newtons, force.time)
      }
      .take(first: 60)
      .named("film")
  }
}

let balance = Balance()
let strip = FilmStrip()
strip.expose(Camera(), balance).startWithValues { print($0) }
balance.start()
Thread.sleep(forTimeInterval: 1)
balance.stop()
