// Symptom: Of the reports that are waiting on the phone, one or two arrive at our server each time.
// The others stay, and nothing is written to the log.
// Looks at: the reports that have been sent ("sent")

import Foundation
import Varve

enum SendError: Error {
  case rejected(status: Int)
  case offline
}

struct Report {
  var id: Int
  var frames: [String]
}

final class ReportServer {
  private let queue = QueueScheduler(name: "reports")

  func post(_ report: Report) -> SignalProducer<Int, SendError> {
    SignalProducer { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(12)) {
        guard !report.frames.isEmpty else {
          observer.send(error: .rejected(status: 422))
          return
        }
        observer.send(value: report.id)
        observer.sendCompleted()
      }
    }
  }
}

final class Outbox {
  private(set) var waiting: [Report]
  private let server = ReportServer()

  init(_ reports: [Report]) { waiting = reports }

  func sendAll() {
    SignalProducer<Report, SendError>(waiting)
      .flatMap(.concat) { [server] report in server.post(report) }
      .named("sent")
      .start { [unowned self] event in  // culprit
        if case .value(let id) = event { waiting.removeAll { $0.id == id } }
      }
  }
}

let outbox = Outbox(
  (1...8).map { Report(id: $0, frames: $0 == 3 ? [] : ["main", "run", "tap"]) })
outbox.sendAll()
Thread.sleep(forTimeInterval: 0.4)
print("still waiting: \(outbox.waiting.map(\.id))")
outbox.sendAll()
Thread.sleep(forTimeInterval: 0.4)
print("still waiting: \(outbox.waiting.map(\.id))")
