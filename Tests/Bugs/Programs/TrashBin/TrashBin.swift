// Symptom: I swipe a mail into the bin and it disappears from the list. When I reload the list, it is
// there again.
// Looks at: stored (the mails on the server)
import Foundation
import Varve

struct Mail: Equatable {
  let id: Int
  let subject: String
}

enum MailError: Error {
  case readOnly
}

final class MailServer: Sendable {
  let stored = MutableProperty([
    Mail(id: 1, subject: "Invoice"), Mail(id: 2, subject: "You have won!"),
    Mail(id: 3, subject: "Dinner?"),
  ])
  private let network = QueueScheduler(name: "mail")

  func mails() -> SignalProducer<[Mail], MailError> {
    SignalProducer { [stored] in .success(stored.value) }.start(on: network)
  }

  func delete(_ id: Int) -> SignalProducer<Int, MailError> {
    SignalProducer { [stored] () -> Result<Int, MailError> in
      stored.modify { $0.removeAll { $0.id == id } }
      return .success(id)
    }
    .start(on: network)
  }
}

final class MailList {
  let shown = MutableProperty<[Mail]>([])
  let reload: Action<Void, [Mail], MailError>
  let delete: Action<Int, Int, MailError>

  init(_ server: MailServer) {
    reload = Action(named: "reload") { server.mails() }
    delete = Action(named: "delete", allowsConcurrentExecution: true) { server.delete($0) }
    shown <~ reload.values
  }

  func pull() { reload.apply().start() }

  func swipe(_ mail: Mail) {
    shown.modify { $0.removeAll { $0 == mail } }
    _ = delete.apply(mail.id)  // culprit
  }
}

let server = MailServer()
server.stored.signal.named("stored").observeValues { print("server: \($0.count) mails") }
let list = MailList(server)
list.shown.signal.observeValues { print("list: \($0.map(\.subject))") }
list.pull()
Thread.sleep(forTimeInterval: 0.05)
if let mail = list.shown.value.first(where: { $0.id == 2 }) { list.swipe(mail) }
Thread.sleep(forTimeInterval: 0.05)
list.pull()
Thread.sleep(forTimeInterval: 0.05)
