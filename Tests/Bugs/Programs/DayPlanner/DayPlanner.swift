// Symptom: The planner said “Nothing to do today”, so I stayed in bed, and missed my exam. It was in
// the calendar all the time.
// Looks at: today (the text on the first page)
import Foundation
import Varve

struct Appointment {
  let hour: Int
  let title: String
}

enum CalendarError: Error {
  case signedOut
  case offline
}

final class CalendarServer: Sendable {
  let isSignedIn = MutableProperty(true)
  private let network = QueueScheduler(name: "calendar")

  func appointments(on day: Int) -> SignalProducer<[Appointment], CalendarError> {
    SignalProducer { [isSignedIn] () -> Result<[Appointment], CalendarError> in
      guard isSignedIn.value else { return .failure(.signedOut) }
      return .success(day == 12 ? [] : [Appointment(hour: 9, title: "Exam, hall \(day)")])
    }
    .start(on: network)
    .delay(.milliseconds(12), on: network)
  }
}

final class PlannerModel {
  let day = MutableProperty(0)
  let today: Property<String>

  init(_ server: CalendarServer, on interface: any Scheduler) {
    today = Property(
      initial: "Loading…",
      then: day.signal
        .skipRepeats()
        .flatMap(.latest) { day in
          server.appointments(on: day)
            .retry(upTo: 1)
            .flatMapError { _ in SignalProducer(value: []) }  // culprit
        }
        .map { list in
          list.isEmpty
            ? "Nothing to do today"
            : list.map { "\($0.hour):00 \($0.title)" }.joined(separator: ", ")
        }
        .observe(on: interface))
  }
}

let server = CalendarServer()
let planner = PlannerModel(server, on: QueueScheduler(name: "interface"))
planner.today.signal.named("today").observeValues { print($0) }
for day in 11...13 {
  if day == 13 { server.isSignedIn.value = false }
  planner.day.value = day
  Thread.sleep(forTimeInterval: 0.08)
}
print("on the page: \(planner.today.value)")
