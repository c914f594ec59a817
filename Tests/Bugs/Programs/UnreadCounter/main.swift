// Symptom: I read all my mails and the badge goes to 0, and then jumps back to 3 although there is
// nothing new.
// Looks at: the number on the badge ("badge")

import Foundation
import Varve

final class MailStore {
  let unread = MutableProperty(0)

  func arrive(_ count: Int) { unread.modify { $0 += count } }
  func readAll() { unread.value = 0 }
}

final class PushService {
  private let queue = QueueScheduler(name: "push")
  private let store: MailStore

  init(store: MailStore) { self.store = store }

  /// What our server says whenever the number changes, some time after.
  func counts() -> Signal<Int, Never> {
    store.unread.signal.delay(.milliseconds(70), on: queue)  // culprit
  }
}

final class BadgeModel {
  private(set) var badge = 0
  private(set) var history: [Int] = []
  private let ui = QueueScheduler(name: "ui")

  init(store: MailStore, push: PushService) {
    Signal.merge(
      store.unread.signal.filter { $0 == 0 },
      push.counts().filter { $0 > 0 }
    )
    .observe(on: ui)
    .named("badge")
    .observeValues { [unowned self] count in
      badge = count
      history.append(count)
    }
  }
}

let store = MailStore()
let model = BadgeModel(store: store, push: PushService(store: store))
store.arrive(2)
Thread.sleep(forTimeInterval: 0.2)
store.readAll()
Thread.sleep(forTimeInterval: 0.2)
store.arrive(3)
Thread.sleep(forTimeInterval: 0.03)
store.readAll()
Thread.sleep(forTimeInterval: 0.3)
print("history \(model.history), badge \(model.badge), unread \(store.unread.value)")
