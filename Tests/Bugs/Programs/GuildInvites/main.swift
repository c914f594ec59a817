// Symptom: I accept an invitation, and nothing happens: the guild never sees me, and there is no
// message of an error either.
// Looks at: the answer to the invitation ("join")

import Foundation
import Varve

struct Invitation {
  var guild: String
  var code: Int
}

final class GuildServer {
  private(set) var members: [String] = []
  private let queue = QueueScheduler(name: "guilds")

  func join(_ invitation: Invitation, as player: String) -> SignalProducer<Int, Never> {
    SignalProducer<Int, Never> { [self] observer, _ in
      queue.schedule { [self] in
        members.append(player)
        observer.send(value: members.count)
        observer.sendCompleted()
      }
    }
    .named("join")
  }
}

final class InvitationScreen {
  let isBusy = MutableProperty(false)
  let message = MutableProperty("")
  private let server: GuildServer
  private let player: String

  init(server: GuildServer, player: String) {
    self.server = server
    self.player = player
  }

  func accept(_ invitation: Invitation) {
    isBusy.value = true
    _ = server.join(invitation, as: player)
      .on(  // culprit
        completed: { [isBusy] in isBusy.value = false },
        value: { [message] count in message.value = "You are member № \(count)" })
  }
}

let server = GuildServer()
let screen = InvitationScreen(server: server, player: "Rook")
screen.accept(Invitation(guild: "Night Watch", code: 4711))
Thread.sleep(forTimeInterval: 0.2)
print("members: \(server.members), message: \"\(screen.message.value)\"")
print(screen.isBusy.value ? "The spinner turns" : "done")
