// Symptom: A friend comes back online, the badge turns green and a moment later grey again,
// although she is still there.
// Looks at: the state on the badge (the property "presence")

import Foundation
import Varve

enum Presence: String {
  case unknown
  case online
  case away
  case offline
}

final class PresenceService {
  let updates: Signal<Presence, Never>
  private let input: Signal<Presence, Never>.Observer
  let push = QueueScheduler(name: "push")
  let background = QueueScheduler(qos: .background, name: "background")

  init() { (updates, input) = Signal.pipe() }

  func receive(_ presence: Presence) {
    push.schedule { [input] in input.send(value: presence) }
  }
}

final class BadgeModel {
  let presence = MutableProperty(Presence.unknown, named: "presence")

  init(service: PresenceService) {
    presence
      <~ service.updates
      .filter { $0 == .online }
      .observe(on: service.push)
    presence
      <~ service.updates
      .filter { $0 != .online }
      .delay(.milliseconds(60), on: service.background)  // culprit
  }
}

let service = PresenceService()
let badge = BadgeModel(service: service)

service.receive(.online)
Thread.sleep(forTimeInterval: 0.15)
service.receive(.away)
Thread.sleep(forTimeInterval: 0.15)
service.receive(.online)
Thread.sleep(forTimeInterval: 0.15)
service.receive(.offline)
Thread.sleep(forTimeInterval: 0.02)
service.receive(.online)
Thread.sleep(forTimeInterval: 0.3)
print("badge: \(badge.presence.value.rawValue)")
