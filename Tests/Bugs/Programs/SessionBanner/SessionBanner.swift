// Symptom: After the start there should be a banner, “Signed in as Mira”. It never comes, though I am
// signed in and the menu works.
// Looks at: banner (the text at the top)
import Foundation
import Varve

enum SessionEvent: Equatable {
  case restored(user: String)
  case expired
}

final class SessionService {
  let events: Signal<SessionEvent, Never>
  private let input: Signal<SessionEvent, Never>.Observer
  private(set) var user: String?

  init() {
    (events, input) = Signal<SessionEvent, Never>.pipe()
  }

  func restore(from keychain: [String: String]) {
    guard let user = keychain["user"] else { return }
    self.user = user
    input.send(value: .restored(user: user))
  }

  func expire() {
    user = nil
    input.send(value: .expired)
  }
}

final class MainScreen {
  let banner: Property<String>
  let canOpenMenu: Bool

  init(_ service: SessionService) {
    canOpenMenu = service.user != nil
    banner = Property(
      initial: "",
      then: service.events.map { event in
        switch event {
        case .restored(let user): "Signed in as \(user)"
        case .expired: "Please sign in again"
        }
      })
  }
}

let service = SessionService()
service.restore(from: ["user": "Mira"])  // culprit

let screen = MainScreen(service)
screen.banner.producer.named("banner").startWithValues { print("banner: '\($0)'") }
print("menu: \(screen.canOpenMenu)")
Thread.sleep(forTimeInterval: 0.1)
