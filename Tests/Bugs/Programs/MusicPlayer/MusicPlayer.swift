// Symptom: The bar of the player moves for a moment after I have pressed “Play”, then it stands still.
// The music goes on.
// Looks at: position (the bar)
import Foundation
import Varve

final class Engine {
  let ticks: Signal<Int, Never>
  private let run: any Disposable

  init(on audio: QueueScheduler) {
    let (ticks, input) = Signal<Int, Never>.pipe()
    self.ticks = ticks
    run = SignalProducer.interval(.milliseconds(20), on: audio)
      .startWithValues { input.send(value: $0 * 20) }
  }
}

final class PlayerBar {
  let position = MutableProperty(0)
  private var token = Lifetime.Token()

  func follow(_ engine: Engine) {
    position <~ engine.ticks.take(during: Lifetime(token)).named("position")
  }

  /// Called when a new cover has been loaded.
  func coverChanged() {
    token = Lifetime.Token()  // culprit
  }
}

final class PlayerScreen {
  let bar = PlayerBar()
  let cover = MutableProperty("")
  private let engine = Engine(on: QueueScheduler(name: "audio"))

  func play(_ song: String) {
    bar.follow(engine)
    cover.signal.observeValues { [bar] _ in bar.coverChanged() }
    cover
      <~ SignalProducer(value: "\(song).png")
      .delay(.milliseconds(110), on: QueueScheduler(name: "covers"))
  }
}

let screen = PlayerScreen()
screen.bar.position.signal.observeValues { print("at \($0) ms") }
screen.play("Wuthering Heights")
Thread.sleep(forTimeInterval: 0.6)
print("the bar shows \(screen.bar.position.value) ms")
