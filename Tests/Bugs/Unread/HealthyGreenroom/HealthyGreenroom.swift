// Symptom: none. The lights' controller answers at the third attempt, as it always does after the
// pause, and the second singer has no call sheet, which the screen says.
// Looks at: what the screen in the green room shows ("call sheet")

import Foundation
import Varve

enum StageError: Error {
  case busy
  case unknownSinger
}

final class StageServer {
  private let queue = QueueScheduler(name: "stage")
  private var attempts = 0

  func wakeLights() -> SignalProducer<String, StageError> {
    SignalProducer { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(5)) {
        self.attempts += 1
        guard self.attempts > 2 else { return observer.send(error: .busy) }
        observer.send(value: "lights ready")
        observer.sendCompleted()
      }
    }
  }

  func callSheet(for singer: String) -> SignalProducer<String, StageError> {
    SignalProducer { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(30)) {
        guard singer != "Ortrud" else { return observer.send(error: .unknownSinger) }
        observer.send(value: "\(singer): act 2, scene 1")
        observer.sendCompleted()
      }
    }
  }
}

final class GreenRoom {
  let singer = MutableProperty("Elsa", named: "singer")
  let screen = MutableProperty("", named: "screen")
  let lights = MutableProperty("lights off", named: "lights")

  init(_ server: StageServer) {
    screen
      <~ singer.producer
      .flatMap(.latest) { singer in
        server.callSheet(for: singer)
          .flatMapError { _ in SignalProducer(value: "\(singer): please ask at the desk") }
      }
      .named("call sheet")
      .observe(on: QueueScheduler.main)
    lights
      <~ server.wakeLights()
      .retry(upTo: 4)
      .flatMapError { _ in SignalProducer(value: "lights by hand") }
      .observe(on: QueueScheduler.main)
  }
}

let room = GreenRoom(StageServer())
for (singer, pause) in [("Lohengrin", 0.01), ("Telramund", 0.1), ("Ortrud", 0.1)] {
  room.singer.value = singer
  RunLoop.main.run(until: Date().addingTimeInterval(pause))
}
print(room.screen.value, "|", room.lights.value)
