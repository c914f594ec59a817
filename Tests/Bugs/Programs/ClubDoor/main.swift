// Symptom: If I press "Open" while the app of the club still signs me in, the door opens a moment
// later. If I am signed in already, the button turns for ever.
// Looks at: member (who is signed in)

import Foundation
import Varve

struct Member: Sendable {
  let name: String
  let number: Int
}

// Safety: a property may be used on any thread, and nothing else changes.
final class Session: @unchecked Sendable {
  let member = MutableProperty<Member?>(nil, named: "member")
  private let network = QueueScheduler(name: "network")

  func signIn(_ name: String) {
    network.schedule(after: .milliseconds(120)) { [member] in
      member.value = Member(name: name, number: 1_204)
    }
  }
}

actor Lock {
  private(set) var opened: [String] = []

  func open(for member: Member) async {
    try? await Task.sleep(for: .milliseconds(20))
    opened.append(member.name)
  }
}

struct DoorButton: Sendable {
  let session: Session
  let lock: Lock

  /// Opens the door as soon as it is known who stands before it.
  func press() async -> String {
    let signedIn = session.member.signal.skipNil()  // culprit
    guard let member = await signedIn.first() else { return "nobody is signed in" }
    await lock.open(for: member)
    return "open for \(member.name)"
  }
}

let session = Session()
let button = DoorButton(session: session, lock: Lock())
session.signIn("Noor")

let early = Task(name: "early press") { await button.press() }
print("while it signs in: \(await early.value)")
try await Task.sleep(for: .milliseconds(100))
print("signed in as \(session.member.value?.name ?? "nobody")")
let late = Task(name: "late press") { await button.press() }
print("signed in: \(await late.value)")
