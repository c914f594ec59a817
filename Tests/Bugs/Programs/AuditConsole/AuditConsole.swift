// Symptom: When I open the console after an incident, its list has one entry where there should be six.
// Looks at: listed (the list in the console)
import Foundation
import Varve

struct Entry {
  let user: String
  let action: String
}

final class AuditLog {
  let entries: SignalProducer<Entry, Never>
  private let subject = ReplaySubject<Entry, Never>(upTo: 1)  // culprit

  init() { entries = subject.producer }

  func note(_ user: String, _ action: String) {
    subject.send(value: Entry(user: user, action: action))
  }
}

final class AccountService {
  private let log: AuditLog
  private let passwords = ["ida": "lake", "tom": "hill"]

  init(log: AuditLog) { self.log = log }

  func logIn(_ user: String, _ password: String) -> Bool {
    let isRight = passwords[user] == password
    log.note(user, isRight ? "logged in" : "was refused")
    return isRight
  }

  func delete(_ document: String, by user: String) { log.note(user, "deleted \(document)") }
}

final class Console {
  let listed = MutableProperty<[String]>([])
  let suspects: Property<Int>

  init() { suspects = listed.map { $0.filter { $0.contains("refused") }.count } }

  func open(_ log: AuditLog) {
    listed
      <~ log.entries
      .map { "\($0.user) \($0.action)" }
      .scan([]) { $0 + [$1] }
  }
}

let log = AuditLog()
let accounts = AccountService(log: log)
let console = Console()
console.listed.signal.named("listed").observeValues { print("listed: \($0.count)") }

for guess in ["hell", "hall", "hull", "hill"] where accounts.logIn("tom", guess) {
  accounts.delete("invoices", by: "tom")
}
Thread.sleep(forTimeInterval: 0.05)
_ = accounts.logIn("ida", "lake")
console.open(log)
for line in console.listed.value { print(line) }
print("refused: \(console.suspects.value)")
