// Symptom: None. The shop's server refuses most connections in the rush, but after some attempts one
// has a place in the queue, and then one's turn comes.
// Looks at: place (the place in the queue)

import Foundation
import Varve

enum RushError: Error {
  case refused
}

final class TicketServer {
  private let server = QueueScheduler(name: "tickets")
  private let attempts = MutableProperty(0)
  private let ahead = MutableProperty(9)

  func join() -> SignalProducer<String, RushError> {
    SignalProducer { [server, attempts] observer, lifetime in
      lifetime += server.schedule(after: .milliseconds(5)) {
        guard
          attempts.modify({
            $0 += 1; return $0
          }) > 3
        else {
          return observer.send(error: .refused)
        }
        observer.send(value: "A-1107")
        observer.sendCompleted()
      }
    }
  }

  func place(of ticket: String) -> SignalProducer<Int, Never> {
    SignalProducer { [ahead] in
      ahead.modify {
        $0 -= 2; return max(0, $0)
      }
    }
    .start(on: server)
  }
}

final class WaitlistModel {
  let place = MutableProperty<Int?>(nil, named: "place")
  let message = MutableProperty("Joining…")
  private let clock = QueueScheduler(name: "clock")

  func wait(for server: TicketServer) {
    let clock = clock
    let places = server.join()
      .retry(upTo: 6, interval: .milliseconds(20), on: clock)
      .flatMapError { _ in .empty }
      .flatMap(.latest) { ticket in
        SignalProducer.timer(interval: .milliseconds(30), on: clock)
          .flatMap(.latest) { _ in server.place(of: ticket) }
          .take(until: { $0 > 0 })
      }
    places.startWithSignal { places, _ in
      place <~ places.map { Optional($0) }
      message
        <~ places.skipRepeats()
        .map { $0 > 0 ? "\($0) people are before you" : "It is your turn" }
    }
  }
}

let model = WaitlistModel()
model.message.producer.startWithValues { print($0) }
model.wait(for: TicketServer())
Thread.sleep(forTimeInterval: 0.5)
print("place: \(model.place.value ?? -1)")
