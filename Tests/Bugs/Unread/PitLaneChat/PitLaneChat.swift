// Symptom: Some laps into the race the radio says "no connection", though the driver and the box
// are still talking.
// Looks at: what the listener hears ("radio")

import Foundation
import Varve

enum RadioError: Error {
  case noConnection
}

final class RadioServer {
  private let queue = QueueScheduler(name: "radio server")
  private let lines = ["Box, box.", "Copy.", "How are the tyres?", "Fine.", "Push now.", "Copy."]

  /// What is said on a channel, until the race is over.
  func join(channel: Int) -> SignalProducer<String, RadioError> {
    SignalProducer.interval(.milliseconds(60), on: queue)
      .map { [lines] in lines[$0 % lines.count] }
      .promoteError(RadioError.self)
      .named("channel \(channel)")
  }
}

final class RadioModel {
  let transcript = MutableProperty<[String]>([], named: "transcript")
  private let server: RadioServer
  private let clock = QueueScheduler(name: "clock")

  init(server: RadioServer) { self.server = server }

  func listen(to channel: Int) {
    server.join(channel: channel)
      .timeout(after: .milliseconds(250), raising: .noConnection, on: clock)  // culprit
      .flatMapError { _ in SignalProducer(value: "— no connection —") }
      .named("radio")
      .startWithValues { [transcript] line in
        transcript.modify { $0.append(line) }
        print(line)
      }
  }
}

let radio = RadioModel(server: RadioServer())
radio.listen(to: 44)
Thread.sleep(forTimeInterval: 0.8)
print("\(radio.transcript.value.count) lines")
