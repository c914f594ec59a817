// Symptom: None. The runner is in the list once, though the page uses the answer at three places and
// the first try gets no connection.
// Looks at: starters (the list at the desk)
import Foundation
import Varve

enum DeskError: Error {
  case noConnection
}

struct Start: Sendable {
  let runner: String
  let number: Int
}

final class Desk: Sendable {
  let starters = MutableProperty<[Start]>([])
  private let tries = MutableProperty(0)
  private let office = QueueScheduler(name: "office")

  func register(_ runner: String) -> SignalProducer<Start, DeskError> {
    SignalProducer<Start, DeskError> { [starters, tries] () -> Result<Start, DeskError> in
      let attempt = tries.modify { count -> Int in
        count += 1
        return count
      }
      if attempt == 1 { return .failure(.noConnection) }
      let start = Start(runner: runner, number: 100 + attempt)
      starters.modify { $0.append(start) }
      return .success(start)
    }
    .start(on: office)
  }
}

final class RegistrationPage {
  let headline = MutableProperty("")
  let barcode = MutableProperty<String?>(nil)
  let message = MutableProperty("")

  func register(_ runner: String, at desk: Desk, on timers: QueueScheduler) {
    let registration = desk.register(runner)
      .retry(upTo: 3, interval: .milliseconds(20), on: timers)
      .materializeResults()
      .replayLazily(upTo: 1)
    let start = registration.compactMap { try? $0.get() }
    headline <~ start.map { "\($0.runner), number \($0.number)" }
    barcode <~ start.map { "RUN-\($0.number)" }
    message
      <~ registration.map { result in
        switch result {
        case .success: "See you on Sunday"
        case .failure: "The desk does not answer"
        }
      }
  }
}

let desk = Desk()
desk.starters.signal.named("starters").observeValues { print("desk: \($0.map(\.runner))") }
let page = RegistrationPage()
page.register("Amira", at: desk, on: QueueScheduler(name: "timers"))
Thread.sleep(forTimeInterval: 0.2)
print("\(page.headline.value), \(page.barcode.value ?? "no barcode"). \(page.message.value)")
print(desk.starters.value.count == 1 ? "right" : "wrong")
