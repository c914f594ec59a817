// Symptom: The list says that the coach to the airport has 4 free seats. I book one, and am told that
// it has been full for an hour.
// Looks at: line (the line of the coach in the list)
import Foundation
import Varve

struct Departure: Sendable {
  let coach: String
  var platform: Int
  var delay: Int
  var freeSeats: Int
}

final class Dispatch: Sendable {
  let departure: MutableProperty<Departure>
  private let radio = QueueScheduler(name: "radio")

  init(coach: String) {
    departure = MutableProperty(Departure(coach: coach, platform: 2, delay: 0, freeSeats: 4))
  }

  func report(_ change: @escaping @Sendable (inout Departure) -> Void) {
    radio.schedule { [departure] in departure.modify { change(&$0) } }
  }
}

final class TransferModel: Sendable {
  let line: Property<String>
  let isLate: Property<Bool>

  init(_ dispatch: Dispatch) {
    // The radio repeats itself all the time.
    line = Property(
      initial: "",
      then: dispatch.departure.producer
        .skipRepeats { $0.platform == $1.platform && $0.delay == $1.delay }  // culprit
        .map { "\($0.coach) platform \($0.platform) +\($0.delay): \($0.freeSeats) free" }
        .named("line"))
    isLate = dispatch.departure.map { $0.delay > 5 }.skipRepeats()
  }
}

let dispatch = Dispatch(coach: "A7")
let model = TransferModel(dispatch)
model.line.producer.startWithValues { print($0) }
model.isLate.signal.observeValues { print($0 ? "late" : "on time") }
let changes: [@Sendable (inout Departure) -> Void] = [
  { $0.delay = 3 }, { _ in }, { $0.platform = 5 }, { $0.freeSeats = 2 }, { _ in },
  { $0.freeSeats = 0 }, { _ in },
]
for change in changes {
  dispatch.report(change)
  Thread.sleep(forTimeInterval: 0.03)
}
print("shown: \(model.line.value); free: \(dispatch.departure.value.freeSeats)")
