// Symptom: I registered for the run once. My neighbour at the desk says that I am in the list twice,
// with two start numbers.
// Looks at: starters (the list at the desk)
import Foundation
import Varve

struct Start: Sendable {
  let runner: String
  let number: Int
  let kilometres: Int
}

enum DeskError: Error {
  case full
}

final class Desk: Sendable {
  let starters = MutableProperty<[Start]>([])
  private let office = QueueScheduler(name: "office")

  func register(_ runner: String, kilometres: Int) -> SignalProducer<Start, DeskError> {
    SignalProducer<Start, DeskError> { [starters] () -> Result<Start, DeskError> in
      starters.modify { list -> Result<Start, DeskError> in
        guard list.count < 300 else { return .failure(.full) }
        let start = Start(runner: runner, number: list.count + 101, kilometres: kilometres)
        list.append(start)
        return .success(start)
      }
    }
    .start(on: office)
    .delay(.milliseconds(15), on: office)
  }
}

final class RegistrationPage {
  let headline = MutableProperty("")
  let wave = MutableProperty("")
  private let desk: Desk

  init(_ desk: Desk) { self.desk = desk }

  func register(_ runner: String, kilometres: Int) {
    let registration = desk.register(runner, kilometres: kilometres)
      .retry(upTo: 1)
      .flatMapError { _ in SignalProducer<Start, Never>.empty }
    headline <~ registration.map { "\($0.runner), number \($0.number)" }
    wave <~ registration.map { $0.kilometres > 10 ? "9:00" : "10:30" }.skipRepeats()  // culprit
  }
}

let desk = Desk()
desk.starters.signal.named("starters").observeValues { list in
  print("desk: \(list.map { "\($0.number) \($0.runner)" })")
}
let page = RegistrationPage(desk)
page.register("Amira", kilometres: 10)
Thread.sleep(forTimeInterval: 0.2)
print("\(page.headline.value), start at \(page.wave.value)")
