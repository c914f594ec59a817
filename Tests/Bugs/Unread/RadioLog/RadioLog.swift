// Symptom: Who opens the log of the coast radio during the watch finds that it begins with the last
// call. The earlier ones are missing.
// Looks at: log (the calls on the page)

import Foundation
import Varve

struct RadioCall: Sendable {
  let ship: String
  let channel: Int
}

final class CoastRadio: Sendable {
  /// The calls of this watch, for each page that shows them.
  let calls: SignalProducer<RadioCall, Never>
  private let receiver = QueueScheduler(name: "receiver")

  init() {
    let heard = ["Aurora", "Belle", "Corona", "Dolphin", "Erika", "Fram"].enumerated().map {
      RadioCall(ship: $1, channel: 10 + $0 * 3)
    }
    calls = SignalProducer.interval(heard, interval: .milliseconds(20), on: receiver)
      .named("calls")
      .replayLazily(upTo: 1)  // culprit
  }
}

final class LogPage: Sendable {
  let lines = MutableProperty<[String]>([], named: "log")

  init(_ radio: CoastRadio) {
    lines
      <~ radio.calls
      .map { "\($0.ship) on \($0.channel)" }
      .scan([]) { $0 + [$1] }
  }
}

let radio = CoastRadio()
let watchRoom = LogPage(radio)
Thread.sleep(forTimeInterval: 0.09)
let office = LogPage(radio)
Thread.sleep(forTimeInterval: 0.15)
print("watch room: \(watchRoom.lines.value.joined(separator: ", "))")
print("office: \(office.lines.value.joined(separator: ", "))")
