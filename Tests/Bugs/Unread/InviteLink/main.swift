// Symptom: A friend sent me an invitation. The app opened, I logged in, and the invitation was
// never shown. When I am logged in already, the same link works.
// Looks at: the invitation that is opened ("invitation")

import Foundation
import Varve

struct User: Sendable {
  let name: String
}

struct Invitation: Sendable {
  let group: String
  let guest: String
}

final class Session {
  let user = MutableProperty<User?>(nil)

  func logIn(_ name: String) { user.value = User(name: name) }
  func logOut() { user.value = nil }
}

final class InvitationService: Sendable {
  private let network = QueueScheduler(name: "network")

  func open(_ link: URL, for user: User) -> SignalProducer<Invitation, Never> {
    SignalProducer(value: Invitation(group: link.lastPathComponent, guest: user.name))
      .delay(.milliseconds(20), on: network)
  }
}

final class LinkRouter {
  private let session: Session
  private let invitations: InvitationService

  init(session: Session, invitations: InvitationService) {
    self.session = session
    self.invitations = invitations
  }

  /// Opens the link once the user is known.
  func handle(_ link: URL) {
    session.user.producer
      .take(first: 1)  // culprit
      .compactMap { $0 }
      .flatMap(.latest) { [invitations] user in invitations.open(link, for: user) }
      .named("invitation")
      .startWithValues { print("\($0.guest), join \($0.group)!") }
  }
}

let session = Session()
let router = LinkRouter(session: session, invitations: InvitationService())
let link = URL(string: "https://example.org/join/sunday-football")!

router.handle(link)
Thread.sleep(forTimeInterval: 0.1)
session.logIn("Noor")
print("logged in")
Thread.sleep(forTimeInterval: 0.3)
print("user: \(session.user.value?.name ?? "nobody")")
