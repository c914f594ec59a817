// Symptom: After I changed my password at the office, the mail list stays empty on the phone, and
// the office locked my account.
// Looks at: the mails that are fetched ("inbox")

import Foundation
import Varve

enum MailError: Error, Equatable {
  case badPassword
  case noRoute
}

struct Mail {
  var subject: String
}

final class MailServer {
  private let queue = QueueScheduler(name: "imap")
  var password = "winter"
  private(set) var logins = 0

  func fetch(password: String) -> SignalProducer<[Mail], MailError> {
    SignalProducer { [self] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(3)) { [self] in
        logins += 1
        guard password == self.password else {
          observer.send(error: .badPassword)
          return
        }
        observer.send(value: ["Minutes", "Lunch", "Invoice 77"].map(Mail.init))
        observer.sendCompleted()
      }
    }
  }
}

final class InboxModel {
  let mails = MutableProperty<[Mail]>([])
  private let server: MailServer
  private let clock = QueueScheduler(name: "clock")

  init(server: MailServer) { self.server = server }

  func refresh(password: String) {
    mails
      <~ server.fetch(password: password)
      .retry(upTo: .max, interval: .milliseconds(4), on: clock)  // culprit
      .flatMapError { _ in SignalProducer<[Mail], Never>(value: []) }
      .named("inbox")
  }
}

let server = MailServer()
let inbox = InboxModel(server: server)
inbox.refresh(password: "winter")
Thread.sleep(forTimeInterval: 0.1)
print("\(inbox.mails.value.count) mails after \(server.logins) login")

server.password = "spring"
inbox.mails.value = []
inbox.refresh(password: "winter")
Thread.sleep(forTimeInterval: 1)
print("\(inbox.mails.value.count) mails after \(server.logins) logins")
