// Symptom: The checker complains that the badge over my avatar was changed outside of the main
// thread, and sometimes the number is drawn half.
// Looks at: the number of the badge ("badge")

import Foundation
import Varve

let ui = QueueScheduler(name: "ui")
let uiKey = DispatchSpecificKey<Bool>()
ui.queue.setSpecific(key: uiKey, value: true)

struct Notice: Sendable {
  let id: Int
  let isRead: Bool
}

protocol NoticeSource: Sendable {
  func notices() -> SignalProducer<[Notice], Never>
}

/// The socket over which the notices of the account come.
final class NoticeSocket: NoticeSource {
  private let socket = QueueScheduler(name: "socket")

  func notices() -> SignalProducer<[Notice], Never> {
    SignalProducer<Int, Never>.interval(.milliseconds(25), on: socket)
      .scan([Notice]()) { list, tick in
        list + [Notice(id: tick, isRead: tick % 3 == 0)]
      }
  }
}

extension SignalProducer where Value == [Notice], Failure == Never {
  var unreadCount: SignalProducer<Int, Never> {
    map { notices in notices.count { !$0.isRead } }.skipRepeats()
  }
}

final class BadgeView: @unchecked Sendable {
  private(set) var text = ""
  private(set) var complaints = 0

  func show(_ count: Int) {
    if DispatchQueue.getSpecific(key: uiKey) == nil { complaints += 1 }
    text = count > 9 ? "9+" : "\(count)"
  }
}

final class ProfileHeader {
  let badge = BadgeView()
  private let subscriptions = CompositeDisposable()

  func appear(source: any NoticeSource) {
    subscriptions += source.notices()
      .unreadCount
      .start(on: ui)  // culprit
      .named("badge")
      .startWithValues { [badge] in badge.show($0) }
  }

  func disappear() { subscriptions.dispose() }
}

let header = ProfileHeader()
header.appear(source: NoticeSocket())
Thread.sleep(forTimeInterval: 0.5)
header.disappear()
Thread.sleep(forTimeInterval: 0.05)
print("badge: \(header.badge.text), complaints: \(header.badge.complaints)")
