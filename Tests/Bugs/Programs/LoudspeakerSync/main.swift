// Symptom: Since I put two speakers in one group the app is slow and uses a whole core: the volume
// sliders jump up and down without end.
// Looks at: the volume of the kitchen (the property "kitchen")

import Foundation
import Varve

final class Speaker {
  let name: String
  let volume: MutableProperty<Double>

  init(_ name: String, volume: Double) {
    self.name = name
    self.volume = MutableProperty(volume, named: name)
  }
}

final class SpeakerGroup {
  static var messages = 0
  private let radio = QueueScheduler(name: "radio")
  private var links: [(any Disposable)?] = []

  /// The speakers are not equally loud: a follower plays at its share of the leader's volume.
  func link(_ leader: Speaker, _ follower: Speaker, share: Double) {
    links.append(
      follower.volume
        <~ leader.volume.signal
        .observe(on: radio)
        .on(value: { _ in SpeakerGroup.messages += 1 })
        .map { min(100, ($0 * share).rounded(.up)) }
        .skipRepeats())
    links.append(
      leader.volume
        <~ follower.volume.signal  // culprit
        .observe(on: radio)
        .map { $0 > 99 ? 1 : ($0 / share).rounded(.up) + 1 }
        .skipRepeats())
  }

  func dissolve() { for link in links { link?.dispose() } }
}

let kitchen = Speaker("kitchen", volume: 20)
let hall = Speaker("hall", volume: 10)
let group = SpeakerGroup()
group.link(kitchen, hall, share: 0.5)
kitchen.volume.value = 30
Thread.sleep(forTimeInterval: 0.05)
group.dissolve()
print("One movement of a slider, more than 100 messages: \(SpeakerGroup.messages > 100)")
