// Symptom: I choose a time for my vaccination, and the button says "booking…" until I close the
// app.
// Looks at: the answer of the clinic ("booking")

import Foundation
import Varve

enum ClinicError: Error {
  case slotTaken
  case notInsured
}

struct Slot: Equatable {
  let day: String
  let hour: Int
}

final class Clinic {
  private var taken = [Slot(day: "Tue", hour: 9)]
  private let queue = QueueScheduler(name: "clinic")

  func reserve(_ slot: Slot) -> SignalProducer<String, ClinicError> {
    let isTaken = taken.contains(slot)
    taken.append(slot)
    return SignalProducer { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(15)) {
        if isTaken { return observer.send(error: .slotTaken) }
        observer.send(value: "\(slot.day), \(slot.hour):00, room 4")
        observer.sendCompleted()
      }
    }
  }
}

final class BookingModel {
  enum State { case choosing, booking, booked(String), failed(ClinicError) }

  let state = MutableProperty(State.choosing, named: "state")
  private let clinic: Clinic

  init(clinic: Clinic) { self.clinic = clinic }

  func choose(_ slot: Slot) {
    state.value = .booking
    clinic.reserve(slot)
      .map { State.booked($0) }
      .flatMapError { _ in .empty }  // culprit
      .named("booking")
      .observe(on: QueueScheduler.main)
      .startWithValues { [state] in state.value = $0 }
  }

  var title: String {
    switch state.value {
    case .choosing: "Choose a time"
    case .booking: "booking…"
    case .booked(let text): text
    case .failed(.slotTaken): "This time has just been taken"
    case .failed(.notInsured): "Your insurance does not pay for this"
    }
  }
}

let model = BookingModel(clinic: Clinic())
model.choose(Slot(day: "Tue", hour: 9))
RunLoop.main.run(until: Date().addingTimeInterval(0.2))
print(model.title)
