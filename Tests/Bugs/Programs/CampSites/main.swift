// Symptom: Each time I come back to the list, it greets me with "site 14 booked". I booked that
// last week.
// Looks at: toast (the message at the bottom)
import Foundation
import Varve

struct Notice: Sendable {
  let text: String
  let isUrgent: Bool
}

final class BookingService: Sendable {
  private let subject = ReplaySubject<Notice, Never>(upTo: 1)
  private let network = QueueScheduler(name: "network")

  var notices: SignalProducer<Notice, Never> { subject.producer }
  let booked = MutableProperty<Set<Int>>([])

  func book(_ site: Int) {
    network.schedule(after: .milliseconds(15)) { [booked, subject] in
      booked.modify { _ = $0.insert(site) }
      subject.send(value: Notice(text: "site \(site) booked", isUrgent: false))
    }
  }
}

final class ListScreen: Sendable {
  let toast = MutableProperty<String?>(nil)
  let free: Property<Int>

  init(_ service: BookingService) {
    free = service.booked.map { 40 - $0.count }
    toast
      <~ service.notices  // culprit
      .map { $0.isUrgent ? $0.text.uppercased() : $0.text }
      .map(Optional.some)
      .named("toast")
  }
}

let service = BookingService()

func visit(_ day: String, booking site: Int? = nil) {
  let screen = ListScreen(service)
  screen.toast.producer.skipNil().startWithValues { print("\(day): (\($0))") }
  Thread.sleep(forTimeInterval: 0.03)
  if let site { service.book(site) }
  Thread.sleep(forTimeInterval: 0.1)
  print("\(day): \(screen.free.value) free")
}

visit("Monday", booking: 14)
visit("Tuesday")
visit("Friday")
