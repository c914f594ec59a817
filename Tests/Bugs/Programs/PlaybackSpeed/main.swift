// Symptom: I choose double speed and the next episode starts at normal speed; the one after it is
// right.
// Looks at: the chosen speed (the property "speed")

import Foundation
import Varve

final class PlayerSettings {
  let speed = MutableProperty(1.0, named: "speed")
  private let store = QueueScheduler(name: "store")

  func choose(_ speed: Double) {
    store.schedule { [self] in
      write(["speed": speed])
      self.speed.value = speed
    }
  }

  private func write(_ values: [String: Double]) { Thread.sleep(forTimeInterval: 0.003) }
}

final class Queue {
  private(set) var titles: [String]
  init(_ titles: [String]) { self.titles = titles }
  func next() -> String? { titles.isEmpty ? nil : titles.removeFirst() }
}

final class Player {
  private let settings: PlayerSettings
  private let queue: Queue
  private(set) var history: [String] = []

  init(settings: PlayerSettings, queue: Queue) {
    self.settings = settings
    self.queue = queue
  }

  func playNext() {
    guard let title = queue.next() else { return }
    let speed = settings.speed.value  // culprit
    history.append("\(title) at \(speed)×")
  }

  func pressFaster() {
    settings.choose(2)
    playNext()
  }

  func pressNormal() {
    settings.choose(1)
    playNext()
  }
}

let player = Player(
  settings: PlayerSettings(),
  queue: Queue(["Bats", "Tides", "Salt", "Clocks", "Glass", "Rope"]))
player.playNext()
Thread.sleep(forTimeInterval: 0.05)
player.pressFaster()
Thread.sleep(forTimeInterval: 0.05)
player.playNext()
Thread.sleep(forTimeInterval: 0.05)
player.pressNormal()
Thread.sleep(forTimeInterval: 0.05)
player.playNext()
Thread.sleep(forTimeInterval: 0.05)
print(player.history.joined(separator: "\n"))
